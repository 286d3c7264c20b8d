// Pairs of problems that differ in exactly one carry, and controls of the same size that differ in
// none.
#pragma once

#include <vector>

#include "heddle/base/rng.hpp"
#include "heddle/task/addition/problem.hpp"

namespace heddle {

/// Four problems that share every digit outside one column.
///
///   off → on   the two digits of `column` go from a sum r to r + 10 (r ≤ 8): the same digit is
///              written there, and a carry leaves it that did not before. The column above, where
///              there is one, does not sum to 9, so the carry ends there: the answers differ in the
///              digit of column + 1 and nowhere else, and by one. What a decoder reads before that
///              digit is the same, whichever digit comes first.
///   controls   off_control and on_control are `off` and `on` with the same two digits changed, by
///              the same amounts as far as that leaves the carry as it was: no carry flips, and the
///              digit of column + 1 stays. (The digit of `column` itself may change: with the least
///              digit first it stands in what the decoder has read.) Swapping in one of the two
///              digits alone may flip the carry, for pairs and controls alike: where a control
///              moves as much as its pair, what stands there is a digit, not a carry.
struct CarryPair {
  int column = 0;                   ///< the carry out of this column differs; 0 = units
  Problem off, on;                  ///< without and with that carry
  Problem off_control, on_control;  ///< what stands beside each, its carries kept
};

struct CarryPairOptions {
  int digits = 0;
  int column = 0;            ///< 0 … digits − 1; the last one flips the sum's first digit
  bool full_length = false;  ///< operands begin with a digit that is not 0
};

/// `count` pairs; all digits outside the column equally likely (but for the rules above), its four
/// digits equally likely among all that go from r to r + 10. UsageError for a column that is none.
std::vector<CarryPair> draw_carry_pairs(Rng& rng, const CarryPairOptions& options, Index count);

}  // namespace heddle
