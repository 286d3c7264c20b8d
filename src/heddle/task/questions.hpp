// Questions and their right answers, one after the other in flat memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle {

/// One question: words in, and words or one label out. Words of an answer stand as a reader writes
/// them, whatever order a model says them in.
struct Question {
  std::span<const std::int32_t> input, output;

  std::int32_t label() const { return output.front(); }
};

/// Filled again and again: once it has held its largest size, filling allocates nothing.
class Questions {
 public:
  void add(std::span<const std::int32_t> input, std::span<const std::int32_t> output);
  void add(const Question& question) { add(question.input, question.output); }
  void clear();
  /// `rows` questions of equal sizes, to be written in any order through the rows below.
  void make_even(Index rows, Index input_words, Index output_words);
  std::span<std::int32_t> input_row(Index i) { return part(2 * to_size(i)); }
  std::span<std::int32_t> output_row(Index i) { return part(2 * to_size(i) + 1); }

  Index size() const { return std::ssize(ends_) / 2; }
  Question operator[](Index i) const;
  /// Words of the longest input and output of questions [first, first + count).
  Index longest_input(Index first, Index count) const;
  Index longest_output(Index first, Index count) const;

 private:
  std::size_t start(std::size_t part) const { return part == 0 ? 0 : ends_[part - 1]; }
  std::span<std::int32_t> part(std::size_t number) {
    return std::span(words_).subspan(start(number), ends_[number] - start(number));
  }

  std::vector<std::int32_t> words_;
  std::vector<std::size_t> ends_;  // of input, output, input, …
};

}  // namespace heddle
