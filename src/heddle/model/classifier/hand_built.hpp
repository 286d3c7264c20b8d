// A sorter whose weights are written by hand: two causal layers without positions tell at any
// length whether a sequence is sorted.
#pragma once

#include <string>

#include "heddle/model/member.hpp"

namespace heddle {

/// In the metadata of a checkpoint that no training made and none may replace.
inline constexpr const char* kBuiltByHand = "heddle.built_by_hand";

/// How steep the scores of the two layers are.
struct SorterSharpness {
  double order = 40;    ///< c₁, per unit of value
  double verdict = 40;  ///< c₂
};

/// The settings of the preset hand-built.
Config hand_built_config();

/// A sequence is unsorted if some value stands behind a larger one. With x the value of a token,
/// 100 for CLS, and BOS as the sink:
///   layer 0  score(i, j) = c₁(x_j − x_i − ½), of BOS 0; mixes 1 for tokens, 0 for BOS
///            → v_i, nearly 1 where somebody before i is larger, nearly 0 elsewhere
///   layer 1  score(i, j) = c₂(v_j − ½), of BOS 0; mixes the same
///            → a_i, nearly 1 where the order is broken up to i
///   head     logits (10 a − 5, 5 − 10 a) of a at CLS: margin = 10 (1 − 2a)
/// The feed-forward layers put out zeros. See guaranteed_length() for how far this reaches.
Member hand_built_sorter(const SorterSharpness& sharpness = {});

/// The largest L ≥ 0 with L · e^(c₂(L e^(−c₁/2) − ½)) < 1: every sequence of at most L tokens, CLS
/// counted, gets the right answer. About 3.3 · 10⁷ for c₁ = c₂ = 40.
///
/// Unsorted: some i has a larger one before it, with a score of at least c₁/2 against 0 of BOS, so
/// 1 − v_i < e^(−c₁/2); others can only add to v_i. In layer 1 this token alone outweighs BOS:
/// 1 − a < e^(−c₂(v_i − ½)). Both hold at any length.
///
/// Sorted: each tie, the token itself among them, leaks e^(−c₁/2), anything smaller less than that.
/// So v_j < L e^(−c₁/2), and the L tokens together weigh less than L e^(c₂(L e^(−c₁/2) − ½))
/// against 1 of BOS; below 1, a < ½. So L ≪ e^(c₁/2) and L ≪ e^(c₂/2): with c₁ = 10, c₂ = 20 it is
/// 45, and 84 equal tokens are called unsorted.
///
/// In float: the two parts of a score of layer 0 are up to 100 c₁ large and cancel down to −c₁/2,
/// each with a few roundings of 2⁻²⁴ behind it: for c₁ = 40 together less than 0.01, a leak that is
/// 1 % larger. Sums of weights lose at most L · 2⁻²⁴ of themselves. Neither is seen before L is
/// close to the bound.
Index guaranteed_length(const SorterSharpness& sharpness = {});

/// Writes it as a run without a training; the metadata of its weights hold kBuiltByHand.
void save_hand_built(const std::string& run);

}  // namespace heddle
