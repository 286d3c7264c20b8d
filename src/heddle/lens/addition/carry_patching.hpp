// Activation patching for carries: one place of a run on one problem takes its value from another
// problem that differs in exactly one carry. What moves the answer carries the carry.
#pragma once

#include <vector>

#include "heddle/lens/addition/columns.hpp"
#include "heddle/lens/places.hpp"
#include "heddle/record/circuit.hpp"

namespace heddle {

struct PatchOptions {
  Index pairs = 125;             ///< per column; each serves both directions
  std::vector<Index> columns{};  ///< whose carry flips, 0 = units; empty: all
  double threshold = 0.1;        ///< a head that moves as much is looked at position by position
  std::size_t resamples = 1000;  ///< of the bootstrap over pairs
  bool heads = true, stream = true;
};

/// Called as work is done, in steps of equal weight; may throw.
using PatchProgress = std::function<void(Index done, Index total)>;

/// Let d be the digit of column + 1 in problem A, d′ that in problem B, and
///   Δ = logit(d′) − logit(d), read where that digit is said, after A's true prefix.
/// The effect of a place is  Σ (Δ_patched − Δ_A) / Σ (Δ_B − Δ_A)  over the pairs: a ratio of means,
/// since the ratios of single pairs with a small difference would drown the rest; 95 % by
/// bootstrap over pairs. The control takes the value from a problem with the same two digits
/// changed and no carry flipped, and is divided by the same Σ (Δ_B − Δ_A). Where the member does
/// not tell the two digits apart (Δ_B − Δ_A is not above 0, 95 %), there is no effect to share:
/// NaN.
///
/// Left out are places that cannot matter: the encoder's embedding outside the column, positions
/// that the digit does not see (the decoder is causal), in the last layer all but its own. The
/// decoder's embedding is the same in A and B. Pairs come from the stream "patch.pairs" of the
/// member's seed; training may have seen them.
Patching patch_member(const Member& member, const PatchOptions& options, Team& team,
                      const PatchProgress& progress = {});

}  // namespace heddle
