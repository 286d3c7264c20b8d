// Biases that depend on the distance Δ = i − j of query and key alone, as tables [heads, 2·span −
// 1] whose entry [h, Δ + span − 1] is added to a score; and which heads look which way.
#pragma once

#include <cstdint>
#include <span>

#include "heddle/autograd/tape.hpp"

namespace heddle {

/// What one head sees: everything, its own place and those before it, or those after it.
enum class VisibleSide : std::uint8_t { all, before, after };

constexpr bool sees(VisibleSide head, Index distance) {
  return head == VisibleSide::all || (head == VisibleSide::before ? distance >= 0 : distance <= 0);
}

/// −exp(log_slopes[h]) · |Δ|.
Var alibi_table(const Var& log_slopes, Index span);

/// weights [heads, 2K + 1]: entry K + bucket(Δ) of head h; reach: where the last bucket begins.
Var bucket_table(const Var& weights, Index span, Index reach);
/// Buckets of both signs, −K … K. |Δ| is exact up to (K + 1)/2, then spaced by its logarithm;
/// from `reach` on everything is in the last one.
Index bucket_of(Index distance, Index most, Index reach);

/// −r₁ ln(1 + r₂|Δ|), both given by their logarithms [heads].
Var kerple_table(const Var& log_r1, const Var& log_r2, Index span);

/// The table with −inf where a head does not look; no gradient there. `heads` must outlive the
/// backward pass.
Var masked_table(const Var& table, std::span<const VisibleSide> heads);

}  // namespace heddle
