// The way of a carry from its column to the digit above, out of what patching measured.
#pragma once

#include <string>
#include <vector>

#include "heddle/model/member.hpp"
#include "heddle/record/circuit.hpp"

namespace heddle {

/// Steps "column|kind|place|token|effect" in the order data passes them, column by column (see
/// Patching::path). Effects are means over both directions. In each layer of the stream: the fewest
/// positions, largest first, that together move half of the difference (each at least
/// `threshold`); heads that move at least `threshold` at all positions at once: each with the
/// position where it moves most and what it moves at that position alone.
std::vector<std::string> carry_paths(const Member& member, const Patching& patching,
                                     double threshold);

}  // namespace heddle
