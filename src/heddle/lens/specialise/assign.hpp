// The cheapest way to pair n things with n others.
#pragma once

#include <span>
#include <vector>

namespace heddle {

/// Column of every row in an assignment of least total cost; cost is [n, n], row after row, finite.
/// The Hungarian method with potentials: rows join one by one along shortest augmenting paths,
/// O(n³). Error unless n² costs are given.
std::vector<std::size_t> cheapest_assignment(std::span<const double> cost, std::size_t n);

}  // namespace heddle
