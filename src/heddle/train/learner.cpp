// Which learner a configuration means.
#include "heddle/train/learner.hpp"

#include "heddle/train/addition_learner.hpp"
#include "heddle/train/sortedness_learner.hpp"

namespace heddle {

std::unique_ptr<Learner> make_learner(const Config& config) {
  switch (config.task.name) {
    case TaskKind::addition:
      break;
    case TaskKind::sortedness:
      return std::make_unique<SortednessLearner>(config);
  }
  return std::make_unique<AdditionLearner>(config);
}

}  // namespace heddle
