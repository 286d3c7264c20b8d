// The copy task: 3 1 4 → 3 1 4. Every output word is the input word at its own place.
#include "heddle/task/rules/rule.hpp"

namespace heddle {

Rule copy_rule(const TaskConfig& task) {
  return {.draw = [task](Rng& rng, Words& input) { draw_words(task, rng, input); },
          .answer = [](std::span<const std::int32_t> input,
                       Words& output) { output.assign(input.begin(), input.end()); },
          .inputs = count_words(task)};
}

}  // namespace heddle
