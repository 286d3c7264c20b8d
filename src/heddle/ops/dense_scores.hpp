// Parts of a score that depend on more than the distance: [batch or 1, head, query, key], made for
// a range of queries at a time so that long inputs need not fit at once.
#pragma once

#include "heddle/autograd/tape.hpp"

namespace heddle {

/// The queries at hand: `count` of them from place `first` on, against keys 0 … keys − 1.
struct QueryRange {
  Index first = 0, count = 0, keys = 0;
};

/// q_i · a[clip(i − j, ±K)] / √d. q [batch, count, head, d] are the range's queries, a [2K + 1,
/// head, d] a vector per distance.
Var shaw_scores(const Var& q, const Var& a, const QueryRange& range);

/// What a network says about two places:
///   w2ᵀ relu(w1ᵀ (x, sign Δ) + b1),  x = ψ(|Δ|) / ψ(max(L, i, j)),  ψ(x) = ln(c·x + 1).
struct FireArgs {
  const Var& log_c;  ///< [1]
  const Var& log_l;  ///< [1]
  const Var& w1;     ///< [2, hidden]
  const Var& b1;     ///< [hidden]
  const Var& w2;  ///< [hidden, heads]; a bias would be the same for all keys and change no pattern
};
/// → [1, head, query, key].
Var fire_scores(const FireArgs& args, const QueryRange& range);

/// scores [batch, head, query, key] + part, whose first extent may be 1: then all sequences get it.
Var add_scores(const Var& scores, const Var& part);

}  // namespace heddle
