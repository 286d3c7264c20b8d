// Unsorted sequences, each made out of a sorted one in a named way.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/config/kinds.hpp"
#include "heddle/task/sortedness/sequence.hpp"

namespace heddle {

// L values x₀ ≤ … ≤ x₍L₋₁₎, not all equal, become:
//   swaps     max(2, ⌊L/3⌋) times two places, drawn afresh, change their values; if that leaves a
//             sorted sequence, the two ends change theirs
//   shuffle   any order, equally likely among the unsorted ones
//   adjacent  one pair of unequal neighbours changes places, each equally likely
//   distant   one unequal pair at least max(2, ⌊L/4⌋) places apart changes places, each equally
//             likely; there always is one for L ≥ 3, the two ends
//   dip       one value becomes its left neighbour less Δ, each place equally likely whose left
//             neighbour is at least Δ: exactly one descent, of exactly Δ
//   reverse   last value first
//   rotate    by 1 … L − 1 places, each equally likely: exactly one descent
inline constexpr std::size_t kNegativeKinds = 7;

/// The depths Δ of `dip`.
inline constexpr std::array<std::int32_t, 6> kDipDepths{1, 2, 5, 10, 25, 50};

/// A way to make a sequence unsorted.
struct Spoil {
  NegativeKind kind = NegativeKind::swaps;
  std::int32_t delta = 0;  ///< Δ of `dip`, 0 for every other kind
};

/// Whether the result has the same values as the sequence it is made of: all kinds but `dip`.
constexpr bool keeps_values(NegativeKind kind) {
  return kind != NegativeKind::dip;
}
/// The fewest values that the kind can do with.
constexpr Index shortest_for(NegativeKind kind) {
  return kind == NegativeKind::distant ? 3 : 2;
}
/// UsageError unless Δ is 1 … 99 for `dip` and 0 for every other kind, and `shortest`, the length
/// of the shortest sequences, is enough.
void check_spoil(const Spoil& spoil, Index shortest);

/// Whether this sorted sequence can be made unsorted that way: two of its values differ, or, for
/// `dip`, some left neighbour is at least Δ.
bool can_spoil(const Spoil& spoil, Values sorted);
/// Makes it unsorted in place; what comes out is checked. Error where can_spoil says no.
void spoil_in_place(Rng& rng, const Spoil& spoil, std::span<std::int32_t> values);
/// The same as a sequence of its own; nothing where it cannot be.
std::optional<Sequence> negative_of(Rng& rng, const Spoil& spoil, Values sorted);

}  // namespace heddle
