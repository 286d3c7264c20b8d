// See figures.hpp.
#include "heddle/report/sweep/figures.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "heddle/base/index.hpp"
#include "heddle/report/document/number.hpp"
#include "heddle/report/draw/chart.hpp"
#include "heddle/report/sweep/view.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kMostRows = 60;

/// "position × pooling".
std::string swept_names(const SweepStudy& study) {
  std::string names;
  for (const SweepAxisRecord& axis : study.axes) names += (names.empty() ? "" : " × ") + axis.name;
  return names.empty() ? "one cell" : names;
}

/// Colours tell the alternatives of the first setting apart, where there are enough of them.
bool coloured(const SweepStudy& study) {
  return !study.axes.empty() && study.axes.front().values.size() <= kSeriesColours;
}

Ink ink_of(const SweepStudy& study, const SweepCellRecord& cell) {
  if (!coloured(study)) return Ink::s0;
  const auto& values = study.axes.front().values;
  return series_ink(to_size(std::ranges::find(values, cell.values.front()) - values.begin()));
}

std::vector<LegendEntry> legend_of(const SweepStudy& study) {
  std::vector<LegendEntry> legend;
  if (!coloured(study) || study.axes.size() < 2) return legend;
  const SweepAxisRecord& axis = study.axes.front();
  for (std::size_t i = 0; i < axis.values.size(); ++i)
    legend.push_back({.label = axis.name + " " + axis.values[i], .ink = series_ink(i)});
  return legend;
}

/// From a little below the lowest value (or guessing) to a little above the highest.
Extent range_of(const BarFigure& figure) {
  constexpr double kStep = 20;  // twentieths
  Extent extent;
  for (const Bar& bar : figure.bars) {
    for (const double value : {bar.value, bar.low, bar.high}) extent.add(value);
    for (const double value : bar.behind) extent.add(value);
  }
  for (const Reference& line : figure.references) extent.add(line.value);
  return {.low = std::max(0.0, std::floor(kStep * extent.low - 0.2) / kStep),
          .high = std::min(1.0, std::ceil(kStep * extent.high + 0.2) / kStep),
          .any = true};
}

Bar bar_of(const SweepSource& source, const SweepCellRecord& cell, const SweepEstimate& estimate) {
  const SweepStudy& study = source.study();
  Bar bar{.label = cell.label,
          .value = estimate.mean,
          .low = estimate.low,
          .high = estimate.high,
          .ink = ink_of(study, cell),
          .note = say("{} {}", source.percent(estimate.mean),
                      source.percent_interval(estimate.low, estimate.high)),
          .group = ""};
  for (const SweepMember* member : members_of(study, cell))
    if (const SweepScore* score = find_score(*member, study.main))
      bar.behind.push_back(score->value);
  return bar;
}

std::string interval_words(bool one_seed) {
  return one_seed ? "Whiskers: 95 % intervals over problems (Wilson): they say nothing about "
                    "another seed."
                  : "Dots: mean over seeds; faint dots below: single seeds. Whiskers: 95 % "
                    "intervals over "
                    "seeds (Student); over problems where all seeds agree.";
}

}  // namespace

std::string sweep_cells(const SweepSource& source) {
  const SweepStudy& study = source.study();
  BarFigure figure;
  figure.x_label = fmt::format("right on “{}”", study.main);
  figure.style = TickStyle::percent;
  figure.dots = true;
  figure.legend = legend_of(study);
  std::size_t left_out = 0;
  for (const SweepCellRecord* cell : ranked_cells(study)) {
    const SweepEstimate* estimate = find_estimate(*cell, study.main);
    if (estimate == nullptr) continue;
    if (figure.bars.size() == kMostRows) {
      ++left_out;
      continue;
    }
    figure.bars.push_back(bar_of(source, *cell, *estimate));
  }
  if (figure.bars.empty()) return "";
  if (const double chance = chance_of(study, study.main); chance >= 0)
    figure.references.push_back({.value = chance, .label = "guessing"});
  figure.range = range_of(figure);
  figure.text = {
      .title = fmt::format("{}: {}", swept_names(study), study.main),
      .subtitle = left_out == 0 ? "Cells of the grid by their mean, highest first."
                                : fmt::format("The {} cells with the highest means; {} more are in "
                                              "the table.",
                                              kMostRows, left_out),
      .caption = interval_words(study.seeds.size() == 1)};
  return draw(figure);
}

std::string sweep_contrasts(const SweepSource& source) {
  const SweepStudy& study = source.study();
  BarFigure figure;
  for (const SweepAxisRecord& axis : study.axes)
    for (const SweepContrast* contrast : contrasts_of(study, axis.setting, study.main)) {
      if (figure.bars.size() == kMostRows) break;
      figure.bars.push_back({.label = fmt::format("{} − {}", contrast->better, contrast->other),
                             .value = 100 * contrast->difference,
                             .low = 100 * contrast->low,
                             .high = 100 * contrast->high,
                             .ink = contrast->told_apart ? Ink::s0 : Ink::s5,
                             .note = say("{} {}", source.points(contrast->difference),
                                         source.points_interval(contrast->low, contrast->high)),
                             .group = axis.name});
    }
  if (figure.bars.empty()) return "";
  figure.x_label = fmt::format("difference in “{}”, percentage points", study.main);
  figure.dots = true;
  figure.legend = {{.label = "told apart", .ink = Ink::s0},
                   {.label = "not told apart", .ink = Ink::s5}};
  const bool one_seed = study.seeds.size() == 1;
  figure.text = {
      .title = "One setting at a time, all else equal",
      .subtitle = "Differences between two alternatives, averaged over the other settings.",
      .caption =
          one_seed ? "Whiskers: 95 % intervals over problems: they say nothing about another seed."
                   : "Whiskers: 95 % intervals over seeds (Student), each for itself. Told apart: "
                     "p below 0.05 after Holm over the pairs of a setting."};
  return draw(figure);
}

}  // namespace heddle::report
