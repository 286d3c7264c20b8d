// The sort task: 3 1 4 1 → 1 1 3 4. Every output word is the smallest that is left: found by its
// value and by how often it was said before, never by its place.
#include <algorithm>

#include "heddle/task/rules/rule.hpp"

namespace heddle {

Rule sort_rule(const TaskConfig& task) {
  return {.draw = [task](Rng& rng, Words& input) { draw_words(task, rng, input); },
          .answer =
              [](std::span<const std::int32_t> input, Words& output) {
                output.assign(input.begin(), input.end());
                std::ranges::sort(output);
              },
          .inputs = count_words(task)};
}

}  // namespace heddle
