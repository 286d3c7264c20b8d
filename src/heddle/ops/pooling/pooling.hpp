// From a row per token to one row per sequence. Where `valid` [batch, position] is given, 0 marks
// padding, which is never read; it must outlive the backward pass. Null: no padding.
#pragma once

#include <cstdint>

#include "heddle/autograd/tape.hpp"

namespace heddle {

/// Mean over the tokens: x [batch, position, d] → [batch, d]. One token of n weighs 1/n.
Var pool_mean(const Var& x, const std::uint8_t* valid);

/// Largest over the tokens, feature by feature; of equals the first, which gets the gradient.
Var pool_max(const Var& x, const std::uint8_t* valid);

/// Five summaries side by side, each over the tokens x_1 … x_n of a sequence, feature by feature:
/// min x_i | min (x_{i+1} − x_i) | mean (x_{i+1} − x_i) | x_1 | x_n → [batch, 5d]. Neighbours are
/// tokens with nothing but padding between them; a single token has differences 0. The mean is
/// (x_n − x_1)/(n − 1), as the sum telescopes.
inline constexpr Index kMultiSummaries = 5;
Var pool_multi(const Var& x, const std::uint8_t* valid);

/// The row at one position: x [batch, position, d] → [batch, d]. `kLastToken`: of each sequence its
/// last token.
inline constexpr Index kLastToken = -1;
Var pool_pick(const Var& x, const std::uint8_t* valid, Index position);

}  // namespace heddle
