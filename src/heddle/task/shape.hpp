// What a task decides about a model: how many tokens there are and how long its sequences get.
#pragma once

#include <cstdint>

#include "heddle/config/config.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle {

/// Words are 0 … words − 1; the control tokens follow, so that a word is never one of them.
struct TaskShape {
  bool labels = false;  ///< one label for a sequence, not a sequence
  Index words = 0;
  Index classes = 0;                            ///< labels alone
  Index longest_input = 0, longest_output = 0;  ///< in words; outputs of pairs alone

  std::int32_t pad() const { return static_cast<std::int32_t>(words); }
  std::int32_t bos() const { return static_cast<std::int32_t>(words) + 1; }
  std::int32_t eos() const { return static_cast<std::int32_t>(words) + 2; }  ///< of pairs
  std::int32_t cls() const { return static_cast<std::int32_t>(words) + 2; }  ///< of labels
  Index vocabulary() const { return words + 3; }
  /// What the decoder writes at most: an output and its EOS.
  Index target_length() const { return longest_output + 1; }
};

/// Of every task whose examples are words: all but addition, which has an encoding of its own.
TaskShape shape_of(const TaskConfig& task);

}  // namespace heddle
