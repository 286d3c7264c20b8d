// Heads ranked by what they cost, and pairs that stand in for each other: see ablation.hpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "heddle/base/index.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/document/number.hpp"
#include "heddle/report/draw/chart.hpp"
#include "heddle/report/draw/heatmap.hpp"
#include "heddle/report/parts/ablation.hpp"

namespace heddle::report {
namespace {

constexpr double kNoExcess = std::numeric_limits<double>::quiet_NaN();

std::size_t index_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return to_size(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

}  // namespace

Ink band_ink(Band band) {
  if (band == Band::critical) return Ink::s1;
  return band == Band::important ? Ink::s4 : Ink::s5;
}

std::string head_importance(const Source& source, const MemberRecord& member) {
  BarFigure figure;
  figure.text = {
      .title = "What each head is worth",
      .subtitle = fmt::format(
          "Share of the answers lost when the head gives its mean output ({}; intact: {}).",
          name_of(member), of_total(member.ablation.baseline)),
      .caption =
          "Whiskers: paired 95 % intervals (Newcombe) over problems of this one "
          "member. Bands: critical above 10 "
          "points, important 1 to 10, redundant at most 1."};
  figure.legend = {{"critical", band_ink(Band::critical)},
                   {"important", band_ink(Band::important)},
                   {"redundant", band_ink(Band::redundant)}};
  figure.x_label = "drop in exact match (percentage points)";
  for (const Effect* effect : ranked(member.ablation.heads, AblationMode::mean))
    figure.bars.push_back({.label = label_of(effect->what),
                           .value = 100 * effect->drop,
                           .low = 100 * effect->low,
                           .high = 100 * effect->high,
                           .ink = band_ink(effect->band),
                           .note = say("{} {}", source.points(effect->drop),
                                       source.points_interval(effect->low, effect->high)),
                           .group = ""});
  if (figure.bars.empty()) return "";
  const double reach = bar_axis(figure).high();
  if (reach >= 10) figure.references.push_back({.value = 10, .label = "critical"});
  if (reach <= 30)
    figure.references.push_back({.value = 1, .label = reach >= 10 ? "" : "important"});
  return draw(figure);
}

std::string redundancy_map(const MemberRecord& member) {
  if (member.ablation.pairs.empty()) return "";
  std::vector<std::string> names;
  for (const PairEffect& pair : member.ablation.pairs) {
    index_of(names, pair.a);
    index_of(names, pair.b);
  }
  Map map;
  map.values = std::vector<double>(names.size() * names.size(), kNoExcess);
  for (const std::string& name : names) {
    map.rows.push_back(label_of(name));
    map.columns.push_back(label_of(name));
  }
  double most = 0;
  for (const PairEffect& pair : member.ablation.pairs) {
    const std::size_t a = index_of(names, pair.a), b = index_of(names, pair.b);
    map.values[a * names.size() + b] = map.values[b * names.size() + a] = 100 * pair.excess;
    if (std::isfinite(pair.excess)) most = std::max(most, std::abs(100 * pair.excess));
  }
  const double step = nice_step(std::max(most, 0.1), 4);
  MapFigure figure;
  figure.text = {.title = "Which heads stand in for each other",
                 .subtitle = fmt::format(
                     "Drop of a pair beyond the sum of the two single drops, mean ablation ({}).",
                     name_of(member)),
                 .caption =
                     "Orange: together they cost more than apart, so each covers for the "
                     "other. Blue: they cost less together, so "
                     "they serve the same step. Point estimates without intervals."};
  figure.maps = {map};
  figure.cell = 22;
  figure.diverges = true;
  figure.most = std::ceil(most / step) * step;
  figure.value_label = "excess (points)";
  if (!(figure.most > 0)) figure.most = step;
  return draw(figure);
}

}  // namespace heddle::report
