// Where the values of a sorted sequence come from.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/config/kinds.hpp"
#include "heddle/task/sortedness/negatives.hpp"
#include "heddle/task/sortedness/sequence.hpp"

namespace heddle {

// uniform   every value 0 … 99 equally likely. Sorted, it shifts with length: ties grow from 8 %
//           of the neighbours at 16 values to 64 % at 256.
// windowed  every value equally likely within a window: of width w = 2 … 100 with chance ∝ 1/w
//           (log-uniform), each place equally likely; all drawn again until two values differ
// mixed     half the sequences each

inline constexpr std::int32_t kNarrowest = 2;  ///< width of a window
inline constexpr std::int32_t kWidest = kValueCount;

/// The chance of a window of width `width`, before anything is drawn again.
double window_chance(std::int32_t width);

/// Fills `out` with a sorted draw; `mixed` tosses a coin.
void draw_sorted(Rng& rng, ValueKind kind, std::span<std::int32_t> out);
/// The same, drawn again until it can be spoilt that way.
void draw_spoilable(Rng& rng, ValueKind kind, const Spoil& spoil, std::span<std::int32_t> out);

}  // namespace heddle
