// The reverse task: 3 1 4 → 4 1 3. Every output word is one input word, found by its place alone.
#include <algorithm>

#include "heddle/task/rules/rule.hpp"

namespace heddle {

Rule reverse_rule(const TaskConfig& task) {
  return {.draw = [task](Rng& rng, Words& input) { draw_words(task, rng, input); },
          .answer = [](std::span<const std::int32_t> input,
                       Words& output) { output.assign(input.rbegin(), input.rend()); },
          .inputs = count_words(task)};
}

}  // namespace heddle
