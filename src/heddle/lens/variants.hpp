// Many variants of one member on the same problems. A pass is a chain of stages: what an edit
// cannot have changed is computed once and shared by all variants.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/model/input.hpp"
#include "heddle/model/member.hpp"

namespace heddle {

/// The problems of a set that pass through the model together.
struct ProblemBlock {
  Index first = 0, count = 0;
};

/// One way to edit the member.
struct Variant {
  TapId first_tap = 0;                                    ///< the earliest point that it edits
  std::function<void(Edits&, const ProblemBlock&)> hang;  ///< hangs its edits for one block
};

/// Called with the logits [count, position, choice] of variant i (−1: the intact member) on a
/// block. Threads call it at once, each with blocks of its own.
using SeeLogits = std::function<void(int variant, const ProblemBlock&, const Tensor& logits)>;
/// Passes done, of all (a block of problems through one variant); called by one thread at a time,
/// whichever has just done one, and may throw.
using VariantProgress = std::function<void(Index done, Index total)>;

void run_variants(const Member& member, const EncodedQuestions& set,
                  std::span<const Variant> variants, Team& team, const SeeLogits& see,
                  const VariantProgress& progress = {});

/// One pass of the intact member that shows chosen taps, block by block and in no fixed order.
/// Threads call it at once, each with blocks of its own.
using SeeTap = std::function<void(TapId, const ProblemBlock&, const Tensor&)>;
void watch_taps(const Member& member, const EncodedQuestions& set, std::span<const TapId> taps,
                Team& team, const SeeTap& see, const VariantProgress& progress = {});

}  // namespace heddle
