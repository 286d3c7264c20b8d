// The interval of a share that was counted on a sample.
#pragma once

#include "heddle/record/score.hpp"

namespace heddle {

struct Interval {
  double low = 0, high = 1;
};

/// The z with Φ(z) = 0.975: 95 % lie within ±z.
inline constexpr double kZ95 = 1.959963984540054;

/// Wilson's score interval for a share p = k/n:
/// (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n). No trials: [0, 1].
Interval wilson(const Count& count, double z = kZ95);

}  // namespace heddle
