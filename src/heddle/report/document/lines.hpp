// A population as lines: one thin line per member and a thick one for the middle.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "heddle/report/draw/chart.hpp"

namespace heddle::report {

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct LineStyle {
  std::string label;
  Ink ink = Ink::s0;
  bool dots = false;
  std::string dashes = {};  ///< of the middle
};

/// The middle over lines at each x that any of them has.
Series median_of(const std::vector<Series>& lines);

/// Adds the lines, thin, and their median; of a single line, only that.
void add_population(LinePanel& panel, std::vector<Series> lines, const LineStyle& style);

/// A panel of shares: the axis runs from 0 to 1 and is told in percent.
LinePanel share_panel(LinePanel panel);

/// From a round share below all of these up to everything: small losses stay visible.
Extent shares_seen(const std::vector<Series>& lines);

}  // namespace heddle::report
