// See lengths.hpp.
#include "heddle/report/sortedness/lengths.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace heddle::report {
namespace {

constexpr std::array<const char*, 3> kDashes{"", "7 3", "2 2"};
constexpr const char* kCeilingDashes = "1 3";
constexpr double kLineWidth = 2.2, kCeilingWidth = 1.3, kReportedWidth = 1.5, kReported = 0.45;
constexpr double kGuess = 0.5;

Series line_of(const SortPopulation& population, const SortView& view, const LineStyle& style) {
  Series line;
  line.ink = style.ink;
  line.dashes = style.dashes;
  line.width = kLineWidth;
  line.dots = true;
  for (const std::int64_t length : lengths_of({&population}, view)) {
    const SortEstimate* estimate = find_estimate(population, view, length);
    line.x.push_back(static_cast<double>(length));
    line.y.push_back(estimate->median);
    line.low.push_back(estimate->low);
    line.high.push_back(estimate->high);
  }
  return line;
}

/// The most that such a model can expect, where that is less than everything.
Series ceiling_of(const SortPopulation& population, const SortView& view, const LineStyle& style) {
  Series line;
  line.ink = style.ink;
  line.dashes = kCeilingDashes;
  line.width = kCeilingWidth;
  for (const std::int64_t length : lengths_of({&population}, view)) {
    const double ceiling = find_estimate(population, view, length)->ceiling;
    line.x.push_back(static_cast<double>(length));
    line.y.push_back(ceiling >= 0 && ceiling < 1 ? ceiling : kNone);
  }
  return line;
}

bool has_dashes(const std::vector<LinePanel>& panels, const std::string& dashes) {
  return std::ranges::any_of(panels, [&](const LinePanel& panel) {
    return std::ranges::any_of(panel.series,
                               [&](const Series& line) { return line.dashes == dashes; });
  });
}

bool is_reported(const Series& line) {
  return line.ink == Ink::muted;
}
bool has_reported(const std::vector<LinePanel>& panels) {
  return std::ranges::any_of(panels, [](const LinePanel& panel) {
    return std::ranges::any_of(panel.series, is_reported);
  });
}

}  // namespace

LineStyle style_of(std::size_t i, const std::string& label) {
  return {.label = label,
          .ink = series_ink(i),
          .dots = true,
          .dashes = kDashes[std::min(i / kSeriesColours, kDashes.size() - 1)]};
}

LinePanel length_panel(const SortednessStudy& study, const std::string& title,
                       const std::string& y_label) {
  LinePanel panel;
  panel.title = title;
  panel.x_label = "length (log axis)";
  panel.y_label = y_label;
  panel.x_kind = AxisKind::log;
  panel.y_style = TickStyle::percent;
  panel.x_ticks = octaves(1, 1e9);
  panel.shade = ShadedRange{.from = static_cast<double>(study.train_shortest),
                            .to = static_cast<double>(study.train_longest),
                            .label = "trained"};
  return panel;
}

LinePanel accuracy_panel(const SortednessStudy& study, const Populations& populations,
                         const SortView& view) {
  LinePanel panel = length_panel(study, view.title(), "accuracy");
  double least = 0.4;
  for (std::size_t i = 0; i < populations.size(); ++i) {
    if (populations[i] == nullptr) continue;
    const LineStyle style = style_of(i, "");
    const Series ceiling = ceiling_of(*populations[i], view, style);
    if (std::ranges::any_of(ceiling.y, [](double y) { return std::isfinite(y); }))
      panel.series.push_back(ceiling);
    const Series line = line_of(*populations[i], view, style);
    if (line.x.empty()) continue;
    panel.series.push_back(line);
    for (const double low : line.low)
      if (low < least) least = std::max(0.0, std::floor(10 * low) / 10);
  }
  panel.y_range = Extent{.low = least, .high = 1, .any = true};
  panel.references = {{.value = kGuess, .label = "guessing", .below = true}};
  return panel;
}

void add_reported(const SortednessStudy& study, LinePanel& panel) {
  for (const SortCurve& curve : reported_curves(study)) {
    Series line;
    line.x = curve.x;
    line.y = curve.y;
    line.ink = Ink::muted;
    line.width = kReportedWidth;
    line.opacity = kReported;
    panel.series.insert(panel.series.begin(), line);  // behind what was measured
  }
}

std::vector<LegendEntry> length_legend(const Populations& populations,
                                       const std::vector<LinePanel>& panels) {
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < populations.size(); ++i) {
    const LineStyle style = style_of(i, "");
    const std::string mark = populations[i]->reads_order ? " (its pooling reads order)" : "";
    legend.push_back({populations[i]->recipe + mark, style.ink, kLineWidth, style.dashes});
  }
  if (has_dashes(panels, kCeilingDashes))
    legend.push_back({"analytic ceiling of that line", Ink::ink, kCeilingWidth, kCeilingDashes});
  if (has_reported(panels)) legend.push_back({"as the reports had it", Ink::masked, 1.5, ""});
  return legend;
}

std::string length_caption(const std::vector<LinePanel>& panels) {
  const bool bands = std::ranges::any_of(panels, [](const LinePanel& panel) {
    return std::ranges::any_of(panel.series, [](const Series& line) { return !line.low.empty(); });
  });
  return bands ? "Lines: median over seeds; bands: 95 % interval of the median (below six seeds: "
                 "lowest to highest). Shaded: lengths seen in training."
               : "Shaded: lengths seen in training.";
}

}  // namespace heddle::report
