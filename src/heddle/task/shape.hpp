// What a task decides about a model: how many tokens there are, how long its sequences get, and how
// its answers are said.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heddle/config/config.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle {

/// A target that bears no loss. The same number as kernels::kNoTarget, which a task may not see.
inline constexpr std::int32_t kNoTarget = -1;

/// What a decoder reads first. `bos`: BOS, and it says the whole answer and an EOS. `first_word`
/// (a defect of reports): in training the answer's first word, which is never learned; in decoding
/// word 0, which counts as said. There is no EOS then.
enum class AnswerStart : std::uint8_t { bos, first_word };

/// Words are 0 … words − 1; the control tokens follow, so that a word is never one of them.
struct TaskShape {
  bool labels = false;  ///< one label for a sequence, not a sequence
  Index words = 0;
  Index classes = 0;                            ///< labels alone
  Index longest_input = 0, longest_output = 0;  ///< in words; outputs of pairs alone
  AnswerStart start = AnswerStart::bos;
  std::int32_t unscored_word = kNoTarget;  ///< where it should be said, nothing is learned (defect)
  bool last_word_first = false;            ///< answers are said last word first
  /// Of inputs and outputs that are numbers: the column (units = 0) of the digit at each place, −1
  /// where there is none. Empty for all others.
  std::vector<Index> input_columns{}, output_columns{};

  std::int32_t pad() const { return static_cast<std::int32_t>(words); }
  std::int32_t bos() const { return static_cast<std::int32_t>(words) + 1; }
  std::int32_t eos() const { return static_cast<std::int32_t>(words) + 2; }  ///< of pairs
  std::int32_t cls() const { return static_cast<std::int32_t>(words) + 2; }  ///< of labels
  Index vocabulary() const { return words + 3; }

  bool counts_digits() const { return !input_columns.empty(); }
  /// The start token is the answer's first word (the defect).
  bool start_counts() const { return start == AnswerStart::first_word; }
  /// What greedy decoding reads first.
  std::int32_t start_token() const { return start_counts() ? 0 : bos(); }
  /// Tokens that a decoder says to an answer of so many words.
  Index target_length(Index output_words) const { return output_words + (start_counts() ? -1 : 1); }
  /// The most that it ever says.
  Index target_length() const { return target_length(longest_output); }

  /// An answer's words as a reader writes them, from what a decoder said: up to its EOS, with the
  /// start token where that counts.
  std::vector<std::int32_t> answer_words(std::span<const std::int32_t> said) const;
  /// The column of the digit at place `place` of what a decoder says; −1 for EOS.
  Index decoded_column(Index place) const;
  /// The column of the digit that a decoder reads at a place; −1 for BOS.
  Index read_column(Index place) const { return decoded_column(place - 1); }
};

/// What the settings say of the task's shape.
TaskShape shape_of(const TaskConfig& task);

}  // namespace heddle
