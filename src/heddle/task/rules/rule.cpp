// See rule.hpp: what rules on free sequences share.
#include "heddle/task/rules/rule.hpp"

#include <cmath>

#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/config/sequences.hpp"

namespace heddle {

TaskShape word_list_shape(const TaskConfig& task) {
  const Index longest = parse_lengths(task.lengths).most;
  return {.words = task.symbols, .longest_input = longest, .longest_output = longest};
}

void draw_words(const TaskConfig& task, Rng& rng, Words& input) {
  const LengthRange lengths = parse_lengths(task.lengths);
  const auto choices = static_cast<std::uint64_t>(lengths.most - lengths.least + 1);
  input.resize(to_size(lengths.least) + rng.below(choices));
  for (std::int32_t& word : input)
    word = static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(task.symbols)));
}

double count_words(const TaskConfig& task) {
  const LengthRange lengths = parse_lengths(task.lengths);
  double count = 0;
  for (auto length = lengths.least; length <= lengths.most; ++length)
    count += std::pow(static_cast<double>(task.symbols), static_cast<double>(length));
  return count;
}

}  // namespace heddle
