// Heads of one member as a grid and as points: see figures.hpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "heddle/report/addition/figures.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/document/number.hpp"
#include "heddle/report/draw/heatmap.hpp"
#include "heddle/report/draw/scatter.hpp"

namespace heddle::report {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
constexpr double kGridCell = 150, kGridRow = 40;
constexpr std::string_view kSharpness = "entropy";

/// Modules in the order in which the ablation names them.
std::vector<std::string> modules_of(const MemberRecord& member) {
  std::vector<std::string> names;
  for (const Effect& effect : member.ablation.heads) {
    const std::string module = module_of(effect.what);
    if (effect.mode == "mean" && parse_head(effect.what).is_head() &&
        std::ranges::find(names, module) == names.end())
      names.push_back(module);
  }
  return names;
}

std::size_t most_heads(const MemberRecord& member) {
  int most = 0;
  for (const Effect& effect : member.ablation.heads)
    most = std::max(most, static_cast<int>(parse_head(effect.what).number) + 1);
  return static_cast<std::size_t>(most);
}

/// How spread a head's attention is; no number where it was not measured.
double entropy_of(const MemberRecord& member, const std::string& head) {
  for (const HeadMeasure& measure : member.specialisation.measures)
    if (measure.head == head && measure.measure == kSharpness) return measure.value;
  return kNoValue;
}

Ink ink_of_band(const std::string& band) {
  if (band == "critical") return Ink::s1;
  return band == "important" ? Ink::s4 : Ink::s5;
}

}  // namespace

std::string role_map(const MemberRecord& member) {
  Map map;
  map.rows = modules_of(member);
  for (std::size_t head = 0; head < most_heads(member); ++head)
    map.columns.push_back(fmt::format("H{}", head));
  double most = 0;
  for (const std::string& module : map.rows)
    for (std::size_t head = 0; head < map.columns.size(); ++head) {
      const std::string name = fmt::format("{}.head.{}", module, head);
      const Effect* effect = find_effect(member.ablation.heads, name, "mean");
      map.values.push_back(effect == nullptr ? kNoValue : 100 * effect->drop);
      map.words.push_back(role_of(member, name));
      map.notes.push_back(effect == nullptr ? "" : "costs " + points(effect->drop));
      if (std::isfinite(map.values.back())) most = std::max(most, map.values.back());
    }
  if (map.values.empty()) return "";
  for (std::string& row : map.rows) row = label_of(row);
  MapFigure figure;
  figure.text = {
      .title = "What each head does, and what it costs to lose it",
      .subtitle = fmt::format("A row per module, a column per head ({}).", name_of(member)),
      .caption =
          "Words: the role that the written rules give the head from where it looks. "
          "Colour and numbers: the answers lost when it gives its mean output, in percentage "
          "points. A role without a cost is a habit, not a use."};
  figure.maps = {map};
  figure.cell = kGridCell;
  figure.most_height = kGridRow * static_cast<double>(map.rows.size());
  const double step = nice_step(std::max(most, 1.0), 3);
  figure.most = std::ceil(most / step - 1e-9) * step;
  if (!(figure.most > 0)) figure.most = step;
  figure.value_label = "drop (points)";
  return draw(figure);
}

std::string sharpness(const AdditionStudy& study, const MemberRecord& specimen) {
  ScatterFigure figure;
  figure.text = {
      .title = "Does a sharper head matter more?",
      .subtitle = fmt::format("What every head costs against how spread its attention is; named: "
                              "heads of {} that cost more than a point.",
                              name_of(specimen)),
      .caption =
          "Whiskers: paired 95 % intervals over problems. Faint: the heads of the other "
          "seeds of the same recipe. Entropy as a share of that of uniform attention."};
  figure.x_label = "entropy of attention (0 = one key, 1 = all alike)";
  figure.y_label = "drop (percentage points)";
  for (const MemberRecord* member : members_of(study, specimen.recipe))
    for (const Effect& effect : member->ablation.heads) {
      if (effect.mode != "mean" || !std::isfinite(effect.drop)) continue;
      const double x = entropy_of(*member, effect.what);
      if (!std::isfinite(x)) continue;
      Spot spot{.x = x, .y = 100 * effect.drop, .label = "", .ink = ink_of_band(effect.band)};
      spot.faint = member != &specimen;
      if (!spot.faint) {
        spot.low = 100 * effect.low;
        spot.high = 100 * effect.high;
        if (effect.band != "redundant") spot.label = label_of(effect.what);
      }
      figure.spots.push_back(std::move(spot));
    }
  if (std::ranges::all_of(figure.spots, &Spot::faint)) return "";
  figure.legend = {{"critical", ink_of_band("critical")},
                   {"important", ink_of_band("important")},
                   {"redundant", ink_of_band("redundant")}};
  return draw(figure);
}

}  // namespace heddle::report
