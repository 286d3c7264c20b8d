// From one number per token, "how surely is the order broken here", to the two logits of a
// sequence: index 0 unsorted, 1 sorted. `valid` is that of pooling.hpp; s is [batch, position].
#pragma once

#include <cstdint>

#include "heddle/autograd/tape.hpp"

namespace heddle {

/// Sorted if no token objects, each with its own chance σ(s_t), independently. With
/// u = Σ softplus(s_t): ln P(sorted) = −u, ln P(unsorted) = ln(1 − e^(−u)) → [batch, 2]. Finite for
/// every finite s.
Var noisy_or(const Var& s, const std::uint8_t* valid);

/// (m, −m)/2 with m = max s_t, of equals the first: the most certain token decides.
Var token_max(const Var& s, const std::uint8_t* valid);

/// (m, −m)/2 with m = ln Σ e^(s_t): a smooth maximum. n equal tokens add ln n.
Var token_lse(const Var& s, const std::uint8_t* valid);

}  // namespace heddle
