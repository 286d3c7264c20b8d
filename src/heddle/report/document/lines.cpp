// See lines.hpp.
#include "heddle/report/document/lines.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "heddle/report/document/label.hpp"

namespace heddle::report {

Series median_of(const std::vector<Series>& lines) {
  std::map<double, std::vector<double>> by_x;
  for (const Series& line : lines)
    for (std::size_t i = 0; i < line.x.size(); ++i) by_x[line.x[i]].push_back(line.y[i]);
  Series middle;
  middle.width = 2.4;
  for (const auto& [x, values] : by_x) {
    middle.x.push_back(x);
    middle.y.push_back(median(values));
  }
  return middle;
}

void add_population(LinePanel& panel, std::vector<Series> lines, const LineStyle& style) {
  Series middle = median_of(lines);
  middle.ink = style.ink;
  middle.label = style.label;
  middle.dots = style.dots;
  middle.dashes = style.dashes;
  for (Series& line : lines) {
    line.ink = style.ink;
    line.width = 0.9;
    line.opacity = 0.35;
  }
  if (lines.size() > 1) panel.series.insert(panel.series.end(), lines.begin(), lines.end());
  panel.series.push_back(middle);
}

LinePanel share_panel(LinePanel panel) {
  panel.y_style = TickStyle::percent;
  panel.y_range = Extent{.low = 0, .high = 1, .any = true};
  return panel;
}

Extent shares_seen(const std::vector<Series>& lines) {
  constexpr double kStep = 0.1;
  double least = 1;
  for (const Series& line : lines)
    for (const auto* values : {&line.y, &line.low})
      for (const double value : *values)
        if (std::isfinite(value)) least = std::min(least, value);
  return {.low = std::max(0.0, std::floor(least / kStep) * kStep), .high = 1, .any = true};
}

}  // namespace heddle::report
