// A two-digit adder whose weights are written by hand, so that it is known what every head does.
#pragma once

#include <string>
#include <vector>

#include "heddle/model/member.hpp"
#include "heddle/task/addition/problem.hpp"

namespace heddle::testing {

/// One block each side, four heads each attention, pre-norm. Every sum is right.
///   encoder.0.self.head.1   at '+', and only there: reads a0 and b0. The feed-forward layer behind
///                           it turns their sum into the carry out of the units and erases the sum.
///   decoder.0.cross.head.0  the column: reads the two digits of the column that is being said (for
///                           the first digit, those of column 1).
///   decoder.0.cross.head.1  the carry: reads it from '+' where it is needed.
/// All other heads put out zeros.
struct PlantedOptions {
  /// decoder.0.cross.head.2 does what head 1 does, and each writes 0.6 of the carry: one alone is
  /// rounded to 1, and so are both.
  bool twin = false;
  /// decoder.0.cross.head.3 puts out the same number for every problem, and the feed-forward layer
  /// behind it counts on it.
  bool constant = false;
};
Member planted_adder(const PlantedOptions& options = {});

/// Whether the adder is right where these heads (of the list above) put out zeros, by arithmetic:
/// without the column every digit but the carry is 0; without the carry it is not added.
bool planted_right(const Problem& problem, bool column, bool carry);

}  // namespace heddle::testing
