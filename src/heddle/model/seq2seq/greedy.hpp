// Greedy decoding: the most likely token at every position, keys and values kept between positions.
#pragma once

#include <span>
#include <vector>

#include "heddle/model/seq2seq/seq2seq.hpp"

namespace heddle {

/// Takes `length` tokens from the model for each sequence of the batch, starting from `start`.
/// `memory` is the encoder's result for `source`. tokens: [batch, length]; logits, unless null:
/// [batch, length, vocabulary]. Nothing stops at EOS: every sequence is as long as the task says.
struct GreedyArgs {
  const Tokens& source;
  const Var& memory;
  std::int32_t start = 0;
  Index length = 0;
  std::span<std::int32_t> tokens;
  float* logits = nullptr;
};
void greedy_decode(const Seq2Seq& model, Run& run, const GreedyArgs& args);

}  // namespace heddle
