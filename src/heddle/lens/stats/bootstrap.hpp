// Intervals by drawing the sample again: for a ratio of two means over the same items.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heddle/base/rng.hpp"
#include "heddle/lens/stats/stats.hpp"

namespace heddle {

/// Resamples of `items` items, drawn once and used for every ratio: items are taken together, so
/// what goes up and down with an item in both means stays paired.
class Bootstrap {
 public:
  Bootstrap(Rng rng, std::size_t items, std::size_t resamples = 1000);

  /// The 2.5 and 97.5 % points of Σ top / Σ bottom over the resamples.
  Interval ratio(std::span<const double> top, std::span<const double> bottom) const;

 private:
  std::size_t items_;
  std::vector<std::uint32_t> drawn_;  // [resample, items]
};

}  // namespace heddle
