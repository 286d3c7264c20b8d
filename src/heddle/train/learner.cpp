// Which learner a configuration means.
#include "heddle/train/learner.hpp"

#include "heddle/train/addition_learner.hpp"
#include "heddle/train/example_learner.hpp"
#include "heddle/train/sortedness_learner.hpp"

namespace heddle {

std::unique_ptr<Learner> make_learner(const Config& config) {
  switch (config.task.name) {
    case TaskKind::addition:
      return std::make_unique<AdditionLearner>(config);
    case TaskKind::sortedness:
      return std::make_unique<SortednessLearner>(config);
    default:
      return std::make_unique<ExampleLearner>(config);
  }
}

}  // namespace heddle
