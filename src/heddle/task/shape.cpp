// See shape.hpp.
#include "heddle/task/shape.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"

namespace heddle {

std::vector<std::int32_t> TaskShape::answer_words(std::span<const std::int32_t> said) const {
  std::vector<std::int32_t> tokens;
  if (start_counts()) tokens.push_back(start_token());
  for (const std::int32_t token :
       said.first(to_size(std::ranges::find(said, eos()) - said.begin())))
    tokens.push_back(token);
  if (last_word_first) std::ranges::reverse(tokens);
  return tokens;
}

Index TaskShape::decoded_column(Index place) const {
  const auto words_said = std::ssize(output_columns);
  const Index at = place + (start_counts() ? 1 : 0);  // among the answer's words
  if (at < 0 || at >= words_said) return -1;
  return output_columns[to_size(last_word_first ? words_said - 1 - at : at)];
}

}  // namespace heddle
