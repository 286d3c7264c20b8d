// Queries that grow with the logarithm of how many keys they see, so that a pattern stays as sharp
// among many keys as among few.
#pragma once

#include <span>

#include "heddle/ops/attention.hpp"
#include "heddle/ops/distance.hpp"

namespace heddle {

/// Whom the queries will meet.
struct LogN {
  AttentionMask mask;
  Index keys = 0;
  std::span<const VisibleSide> heads = {};  ///< where each head looks; empty: everywhere
};

/// q [batch, query, head, feature] times s[h] · ln n, n the number of keys that this query sees in
/// this head, at least 2. A bias that is added to the scores is not scaled: it stands for a
/// distance, which does not change with n. `key_valid` and `heads` must outlive the backward pass.
Var scale_log_n(const Var& q, const Var& s, const LogN& seen);

}  // namespace heddle
