// Figures against the length of the sequences: see figures.hpp.
#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "heddle/report/document/label.hpp"
#include "heddle/report/sortedness/figures.hpp"
#include "heddle/report/sortedness/lengths.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kMostLines = 8;  // of a panel

/// The two kinds that tell easy from hard, for every kind of values; else whatever there is.
std::vector<SortView> side_by_side(const Populations& populations) {
  const auto easy = views_of(populations, "swaps"), hard = views_of(populations, "adjacent");
  std::vector<SortView> views;
  for (const SortView& view : easy) {
    const auto twin = std::ranges::find(hard, view.values, &SortView::values);
    if (twin == hard.end()) continue;
    views.push_back(view);
    views.push_back(*twin);
  }
  for (const SortView& view : hard)  // values that the easy kind was not asked with
    if (!views.empty() && std::ranges::find(easy, view.values, &SortView::values) == easy.end())
      views.push_back(view);
  if (!views.empty()) return views;
  for (const auto* kinds : {&easy, &hard}) views.insert(views.end(), kinds->begin(), kinds->end());
  if (views.empty()) views = views_of(populations);
  views.resize(std::min<std::size_t>(views.size(), 2));
  return views;
}

std::string drawn(LineFigure figure, const Populations& populations) {
  std::erase_if(figure.panels, [](const LinePanel& panel) { return panel.series.empty(); });
  if (figure.panels.empty()) return "";
  figure.legend = length_legend(populations, figure.panels);
  figure.text.caption = length_caption(figure.panels) +
                        (figure.text.caption.empty() ? "" : " " + figure.text.caption);
  figure.columns = std::min(figure.columns, static_cast<int>(figure.panels.size()));
  return draw(figure);
}

/// Some of them; the others are null, so that every line keeps its colour.
Populations part_of(const Populations& populations, std::size_t from, std::size_t count) {
  Populations part = populations;
  for (std::size_t i = 0; i < part.size(); ++i)
    if (i < from || i >= from + count) part[i] = nullptr;
  return part;
}

/// A column per view; many lines take several rows of panels.
LineFigure side_by_side_figure(const SortednessStudy& study, const Populations& populations,
                               const FigureText& text) {
  LineFigure figure;
  figure.text = text;
  figure.panel_height = 270;
  const auto views = side_by_side(populations);
  figure.columns =
      views.size() == 4 ? 2 : static_cast<int>(std::clamp<std::size_t>(views.size(), 1, 3));
  const std::size_t rows =
      std::max<std::size_t>(1, (populations.size() + kMostLines - 1) / kMostLines);
  const std::size_t lines = (populations.size() + rows - 1) / rows;
  for (std::size_t row = 0; row < rows; ++row)
    for (const SortView& view : views)
      figure.panels.push_back(
          accuracy_panel(study, part_of(populations, row * lines, lines), view));
  return figure;
}

/// Accuracy on dips at one length against their depth.
LinePanel depth_panel(const Populations& populations) {
  const SortView view = main_view(populations, "dip");
  const std::int64_t length = common_length(populations, view, kCompared);
  LinePanel panel;
  panel.title = fmt::format("dip at length {}, by depth", length);
  panel.x_label = "depth of the dip (log axis)";
  panel.y_label = "accuracy";
  panel.x_kind = AxisKind::log;
  panel.y_style = TickStyle::percent;
  panel.y_range = Extent{.low = 0.4, .high = 1, .any = true};
  for (std::size_t i = 0; i < populations.size(); ++i) {
    const LineStyle style = style_of(i, "");
    Series line;
    line.ink = style.ink;
    line.dashes = style.dashes;
    line.dots = true;
    for (const SortView& depth : views_of({populations[i]}, "dip")) {
      const SortEstimate* estimate = find_estimate(*populations[i], depth, length);
      if (estimate == nullptr || depth.values != view.values) continue;
      line.x.push_back(static_cast<double>(depth.delta));
      line.y.push_back(estimate->median);
      panel.x_ticks.push_back(static_cast<double>(depth.delta));
      panel.y_range->low = std::min(panel.y_range->low, std::floor(10 * estimate->median) / 10);
    }
    if (line.x.size() > 1) panel.series.push_back(line);
  }
  std::ranges::sort(panel.x_ticks);
  panel.x_ticks.erase(std::ranges::unique(panel.x_ticks).begin(), panel.x_ticks.end());
  return panel;
}

using CellValue = std::function<double(const SortCell&)>;

/// A value of every member's cells of this view, against length.
std::vector<Series> cell_lines(const std::vector<const SortMember*>& members, const SortView& view,
                               const CellValue& value) {
  std::vector<Series> lines;
  for (const SortMember* member : members) {
    Series line;
    for (const SortCell& cell : member->cells) {
      if (cell.kind != view.kind || cell.values != view.values || cell.delta != view.delta)
        continue;
      line.x.push_back(static_cast<double>(cell.length));
      line.y.push_back(cell.total == 0 ? kNone : value(cell));
    }
    if (!line.x.empty()) lines.push_back(line);
  }
  return lines;
}

double accuracy_of(const SortCell& cell) {
  return static_cast<double>(cell.correct) / static_cast<double>(cell.total);
}

/// The axis starts at the lowest tenth that any line reaches, not above 0.9.
LinePanel zoomed(LinePanel panel) {
  double least = 0.9;
  for (const Series& line : panel.series)
    for (const double y : line.y)
      if (y < least) least = std::max(0.0, std::floor(10 * y) / 10);
  panel.y_range = Extent{.low = least, .high = 1, .any = true};
  return panel;
}

}  // namespace

std::string extrapolation_curves(const SortednessStudy& study) {
  const Populations shown = leading(study);
  LineFigure figure = side_by_side_figure(
      study, shown,
      {.title = "Which positions extrapolate",
       .subtitle = "Accuracy against length. Swaps: many random swaps, the reports' own negatives. "
                   "Adjacent: one adjacent pair swapped.",
       .caption = ""});
  figure.panels.resize(std::min<std::size_t>(figure.panels.size(), 2));  // one kind of values
  figure.panel_height = 300;
  return drawn(std::move(figure), shown);
}

std::string extrapolation_of_pooling(const SortednessStudy& study, const std::string& pooling) {
  const Populations shown = pooled_by(study, pooling);
  const bool reads = std::ranges::any_of(shown, [](auto* p) { return p->reads_order; });
  LineFigure figure = side_by_side_figure(
      study, shown,
      {.title = fmt::format("Accuracy against length, {} pooling", pooling),
       .subtitle = reads ? "This pooling compares neighbours itself: the encodings are not what is "
                           "compared here."
                         : "Every recipe with this pooling.",
       .caption = ""});
  for (LinePanel& panel : figure.panels)
    if (pooling == "mean" && panel.title.starts_with("swaps")) add_reported(study, panel);
  return drawn(std::move(figure), shown);
}

std::string kinds_of_negatives(const SortednessStudy& study) {
  const Populations shown = leading(study);
  LineFigure figure;
  figure.text = {.title = "By kind of negative",
                 .subtitle = "The same models on every way of being unsorted.",
                 .caption = ""};
  std::vector<std::string> kinds;
  for (const SortView& view : views_of(shown))
    if (std::ranges::find(kinds, view.kind) == kinds.end()) kinds.push_back(view.kind);
  for (const std::string& kind : kinds)
    figure.panels.push_back(accuracy_panel(study, shown, main_view(shown, kind)));
  figure.panels.push_back(depth_panel(shown));
  figure.columns = kinds.size() > 3 ? 3 : 2;
  figure.panel_height = 210;
  return drawn(std::move(figure), shown);
}

std::string recipe_seeds(const SortednessStudy& study) {
  const Populations recipes = group_of(study, "recipe");
  LineFigure figure;
  figure.text = {.title = "The recipe, seed by seed",
                 .subtitle = "Right answers on all, on sorted and on unsorted sequences.",
                 .caption =
                     "Thin lines: one seed each. Thick line: their median. Shaded: lengths "
                     "seen in training."};
  figure.columns = 3;
  figure.panel_height = 230;
  for (std::size_t i = 0; i < recipes.size(); ++i) {
    const SortView view = main_view(recipes, main_kind(study));
    const auto members = members_of(study, recipes[i]->recipe);
    const auto add = [&](const std::string& title, const CellValue& value) {
      LinePanel panel =
          length_panel(study, title, fmt::format("{}, {}", recipes[i]->recipe, view.kind));
      const auto lines = cell_lines(members, view, value);
      if (lines.empty()) return;
      add_population(panel, lines, {.label = "", .ink = series_ink(i), .dots = true});
      figure.panels.push_back(zoomed(panel));
    };
    add("Right, of all", accuracy_of);
    add("Right, of the sorted", [](const SortCell& cell) { return cell.tpr; });
    add("Right, of the unsorted", [](const SortCell& cell) { return cell.tnr; });
  }
  return figure.panels.empty() ? "" : draw(figure);
}

std::string ingredients(const SortednessStudy& study) {
  Populations shown = group_of(study, "recipe");
  const Populations contrasts = group_of(study, "contrast");
  if (contrasts.empty()) return "";
  shown.insert(shown.end(), contrasts.begin(), contrasts.end());
  LineFigure figure = side_by_side_figure(
      study, shown,
      {.title = "What each ingredient does",
       .subtitle = "The recipe beside variants that differ from it in one thing.",
       .caption = ""});
  return drawn(std::move(figure), shown);
}

std::string reports_cases(const SortednessStudy& study) {
  const Populations shown = group_of(study, "reports");
  const SortView view = reports_view(shown);
  LineFigure figure;
  figure.text = {.title = "The reports' models, trained again",
                 .subtitle =
                     "With the reports' settings, on purpose: what they scored, and how "
                     "often they said sorted.",
                 .caption = ""};
  figure.columns = 2;
  figure.panel_height = 270;
  LinePanel accuracy = accuracy_panel(study, shown, view);
  LinePanel called = share_panel(length_panel(study, "Share called sorted", "called sorted"));
  for (std::size_t i = 0; i < shown.size(); ++i) {
    Series middle =
        median_of(cell_lines(members_of(study, shown[i]->recipe), view,
                             [](const SortCell& cell) { return cell.predicted_positive; }));
    const LineStyle style = style_of(i, "");
    middle.ink = style.ink;
    middle.dashes = style.dashes;
    middle.dots = true;
    if (!middle.x.empty()) called.series.push_back(middle);
  }
  if (accuracy.series.empty() && called.series.empty()) return "";
  add_reported(study, accuracy);
  figure.panels = {accuracy, called};
  return drawn(std::move(figure), shown);
}

}  // namespace heddle::report
