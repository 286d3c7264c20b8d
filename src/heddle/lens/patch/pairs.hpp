// Activation patching between inputs that the user pairs up, for any task.
#pragma once

#include <functional>

#include "heddle/base/parallel.hpp"
#include "heddle/lens/patch/input_pairs.hpp"
#include "heddle/record/lenses.hpp"

namespace heddle {

/// Called as work is done; may throw.
using PairProgress = std::function<void(Index done, Index total)>;

/// Let t be the first position at which the right answers of a and b differ (of a classifier there
/// is one, its label), and
///   Δ = logit(b's token at t) − logit(a's token at t), after a's true prefix.
/// The effect of a place is  Σ (Δ_patched − Δ_a) / Σ (Δ_b − Δ_a)  over the pairs, 95 % by bootstrap
/// over pairs (1,000 draws); the control takes the value from the control input instead and is
/// divided by the same sum. Where the member does not tell a and b apart (Δ_b − Δ_a is not above 0,
/// 95 %), there is nothing to share: NaN, as are controls that the pairs do not have.
///
/// Every head at all positions at once; every point of the residual stream position by position
/// where all pairs have the same length (decoder: the same t, positions up to it, in the last layer
/// t alone), else at all positions at once. FileError with the line for inputs of a pair that have
/// different lengths, equal answers, or an answer that is not known.
PairPatching patch_pairs(const Member& member, const Task& task, const InputPairs& pairs,
                         Team& team, const PairProgress& progress = {});

}  // namespace heddle
