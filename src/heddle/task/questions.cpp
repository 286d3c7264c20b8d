// See questions.hpp.
#include "heddle/task/questions.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"

namespace heddle {

void Questions::add(std::span<const std::int32_t> input, std::span<const std::int32_t> output) {
  for (const auto part : {input, output}) {
    const std::size_t before = words_.size();
    words_.resize(before + part.size());
    std::ranges::copy(part, words_.begin() + static_cast<Index>(before));
    ends_.push_back(words_.size());
  }
}

void Questions::clear() {
  words_.clear();
  ends_.clear();
}

void Questions::make_even(Index rows, Index input_words, Index output_words) {
  words_.resize(to_size(rows * (input_words + output_words)));
  ends_.clear();
  std::size_t end = 0;
  for (Index i = 0; i < rows; ++i)
    for (const Index length : {input_words, output_words}) ends_.push_back(end += to_size(length));
}

Question Questions::operator[](Index i) const {
  const auto part = 2 * to_size(i);
  const std::span all(words_);
  return {.input = all.subspan(start(part), ends_[part] - start(part)),
          .output = all.subspan(ends_[part], ends_[part + 1] - ends_[part])};
}

Index Questions::longest_input(Index first, Index count) const {
  std::size_t most = 0;
  for (Index i = first; i < first + count; ++i) most = std::max(most, (*this)[i].input.size());
  return static_cast<Index>(most);
}

Index Questions::longest_output(Index first, Index count) const {
  std::size_t most = 0;
  for (Index i = first; i < first + count; ++i) most = std::max(most, (*this)[i].output.size());
  return static_cast<Index>(most);
}

}  // namespace heddle
