// Learning curves of a sweep: see figures.hpp.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "heddle/base/index.hpp"
#include "heddle/report/draw/chart.hpp"
#include "heddle/report/sweep/figures.hpp"
#include "heddle/report/sweep/view.hpp"

namespace heddle::report {
namespace {

using Value = std::function<double(const SweepPoint&)>;
using Cells = std::vector<const SweepCellRecord*>;

constexpr const char* kDash = "6 3";

/// The mean over the seeds of a cell, and from the lowest to the highest.
Series curve_of(const SweepStudy& study, const SweepCellRecord& cell, const Value& value) {
  std::map<std::int64_t, std::vector<double>> by_step;
  for (const SweepMember* member : members_of(study, cell))
    for (const SweepPoint& point : member->log) by_step[point.step].push_back(value(point));
  Series series;
  for (const auto& [step, values] : by_step) {
    double sum = 0;
    for (const double one : values) sum += one;
    series.x.push_back(static_cast<double>(step));
    series.y.push_back(sum / static_cast<double>(values.size()));
    series.low.push_back(std::ranges::min(values));
    series.high.push_back(std::ranges::max(values));
  }
  if (study.seeds.size() == 1) series.low = series.high = {};
  return series;
}

/// How lines are told apart, in the order of the cells of a panel.
struct Style {
  Ink ink = Ink::s0;
  std::string dashes;
};

/// Six colours, then the same with dashes.
std::vector<Style> by_number(std::size_t count) {
  std::vector<Style> styles;
  for (std::size_t i = 0; i < count; ++i)
    styles.push_back({.ink = series_ink(i), .dashes = i / kSeriesColours % 2 == 1 ? kDash : ""});
  return styles;
}

/// A colour per alternative of the first setting, dashes for the rest; by number where the rest is
/// more than dashes can tell.
std::vector<Style> by_settings(const SweepStudy& study, const Cells& cells) {
  constexpr std::array kDashes{"", kDash, "2 3"};
  if (study.axes.size() < 2) return by_number(cells.size());
  const auto& first = study.axes.front().values;
  std::vector<std::vector<std::string>> rests;
  std::vector<Style> styles;
  for (const SweepCellRecord& cell : study.cells) {
    const std::vector<std::string> rest(cell.values.begin() + 1, cell.values.end());
    if (std::ranges::find(rests, rest) == rests.end()) rests.push_back(rest);
  }
  if (first.size() > kSeriesColours || rests.size() > kDashes.size())
    return by_number(cells.size());
  for (const SweepCellRecord* cell : cells) {
    const std::vector<std::string> rest(cell->values.begin() + 1, cell->values.end());
    const auto colour = std::ranges::find(first, cell->values.front()) - first.begin();
    const auto dash = std::ranges::find(rests, rest) - rests.begin();
    styles.push_back({.ink = series_ink(to_size(colour)), .dashes = kDashes[to_size(dash)]});
  }
  return styles;
}

/// Cells in one panel and how their lines look.
struct Lines {
  Cells cells;
  std::vector<Style> styles;
};

LinePanel panel_of(const SweepStudy& study, const Lines& lines, const std::string& title,
                   const Value& value) {
  LinePanel panel;
  panel.title = title;
  panel.x_label = "training step";
  panel.x_style = TickStyle::count;
  for (std::size_t i = 0; i < lines.cells.size(); ++i) {
    panel.series.push_back(curve_of(study, *lines.cells[i], value));
    panel.series.back().ink = lines.styles[i].ink;
    panel.series.back().dashes = lines.styles[i].dashes;
  }
  return panel;
}

/// The axis begins at the tenth below the lowest share.
LinePanel as_shares(LinePanel panel) {
  double least = 1;
  for (const Series& series : panel.series)
    for (const double value : series.low.empty() ? series.y : series.low)
      least = std::min(least, value);
  panel.y_style = TickStyle::percent;
  panel.y_range = Extent{.low = std::min(0.9, std::floor(10 * least) / 10), .high = 1, .any = true};
  return panel;
}

LinePanel accuracy_panel(const SweepStudy& study, const Lines& lines, const std::string& title) {
  return as_shares(
      panel_of(study, lines, title, [](const SweepPoint& point) { return point.accuracy; }));
}

/// What is left of a cell's label without the first setting.
std::string rest_of(const SweepCellRecord& cell) {
  const std::size_t at = cell.label.find(" · ");
  return at == std::string::npos ? cell.label : cell.label.substr(at + std::string(" · ").size());
}

void add_legend(LineFigure& figure, const std::vector<std::string>& labels,
                const std::vector<Style>& styles) {
  for (std::size_t i = 0; i < labels.size(); ++i)
    figure.legend.push_back(
        {.label = labels[i], .ink = styles[i].ink, .width = 2, .dashes = styles[i].dashes});
}

/// Few cells: all in one panel for accuracy and one for the loss.
void draw_together(LineFigure& figure, const SweepStudy& study, const Cells& cells) {
  const Lines lines{.cells = cells, .styles = by_settings(study, cells)};
  figure.panels.push_back(accuracy_panel(study, lines, "Validation: right answers"));
  figure.panels.push_back(panel_of(study, lines, "Training loss (nats)",
                                   [](const SweepPoint& point) { return point.train_loss; }));
  figure.panels.back().y_kind = AxisKind::log;
  std::vector<std::string> labels;
  for (const SweepCellRecord* cell : cells) labels.push_back(cell->label);
  add_legend(figure, labels, lines.styles);
}

/// Many cells: a panel per alternative of the first setting.
void draw_apart(LineFigure& figure, const SweepStudy& study) {
  const SweepAxisRecord& axis = study.axes.front();
  double least = 1;
  for (const std::string& value : axis.values) {
    Lines lines;
    for (const SweepCellRecord& cell : study.cells)
      if (cell.values.front() == value) lines.cells.push_back(&cell);
    lines.styles = by_number(lines.cells.size());
    figure.panels.push_back(accuracy_panel(study, lines, axis.name + " " + value));
    least = std::min(least, figure.panels.back().y_range->low);
    std::vector<std::string> labels;
    for (const SweepCellRecord* cell : lines.cells) labels.push_back(rest_of(*cell));
    if (study.axes.size() > 1 && figure.legend.empty()) add_legend(figure, labels, lines.styles);
  }
  for (LinePanel& panel : figure.panels) panel.y_range->low = least;  // one axis for all
}

}  // namespace

std::string sweep_curves(const SweepStudy& study) {
  const bool any = std::ranges::any_of(
      study.members, [](const SweepMember& member) { return !member.log.empty(); });
  if (!any) return "";
  const Cells cells = ranked_cells(study);
  LineFigure figure;
  figure.columns = 2;
  figure.panel_height = 250;
  figure.text = {.title = "Learning curves",
                 .subtitle =
                     "Right answers on the validation set, which is drawn like the "
                     "training data.",
                 .caption = study.seeds.size() == 1
                                ? ""
                                : "Lines: mean over seeds. Bands: from the lowest to the highest "
                                  "seed."};
  if (cells.size() <= kSeriesColours || study.axes.empty()) {
    draw_together(figure, study, cells);
  } else {
    draw_apart(figure, study);
  }
  return draw(figure);
}

}  // namespace heddle::report
