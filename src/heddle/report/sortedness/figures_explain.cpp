// Figures of the explanations: see figures.hpp.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "heddle/base/index.hpp"
#include "heddle/report/addition/figures.hpp"
#include "heddle/report/draw/heatmap.hpp"
#include "heddle/report/sortedness/figures.hpp"
#include "heddle/report/sortedness/lengths.hpp"

namespace heddle::report {
namespace {

constexpr double kMuchLarger = 50;  // from here on the y axis is logarithmic
constexpr std::size_t kMostNames = 24;
constexpr std::array<const char*, 4> kPredictedDashes{"6 3", "2 2", "9 3 2 3", "1 4"};

/// Measured curves in colours, predictions on top of them in ink, told apart by their dashes.
Series explained_line(const SortCurve& curve, std::size_t i, bool predicted) {
  Series line;
  line.x = curve.x;
  line.y = curve.y;
  line.low = curve.low;
  line.high = curve.high;
  line.ink = predicted ? Ink::ink : series_ink(i);
  line.width = predicted ? 1.4 : 2.6;
  line.dashes = predicted            ? kPredictedDashes[i % kPredictedDashes.size()]
                : i < kSeriesColours ? ""
                                     : "7 3";
  line.dots = !predicted && curve.x.size() <= kMostNames;
  return line;
}

/// Everything above 0 and spread over orders of magnitude.
bool wants_log(const LinePanel& panel) {
  Extent extent;
  for (const Series& line : panel.series)
    for (const double y : line.y) extent.add(y);
  return extent.any && extent.low > 0 && extent.high > kMuchLarger * extent.low;
}

/// Names of rows or columns: as given, or every so many numbers.
std::vector<std::string> names_of(const std::vector<std::string>& given, std::int64_t count) {
  const auto size = to_size(std::max<std::int64_t>(count, 0));
  if (given.size() == size) return given;
  const auto step = static_cast<std::size_t>(
      std::max(1.0, nice_step(static_cast<double>(size), size > kMostNames ? 6 : 30)));
  std::vector<std::string> names(size);
  for (std::size_t i = 0; i < size; i += step) names[i] = std::to_string(i);
  return names;
}

Map map_of(const SortMap& matrix) {
  Map map;
  map.title = matrix.label;
  map.note = matrix.note;
  map.rows = names_of(matrix.row_names, matrix.rows);
  map.columns = names_of(matrix.column_names, matrix.columns);
  map.values = matrix.values;
  if (matrix.trained_rows < matrix.rows) map.split = to_size(matrix.trained_rows);
  return map;
}

/// A matrix whose values are not as many as it says cannot be drawn.
bool whole(const SortMap& matrix) {
  return matrix.rows > 0 && matrix.columns > 0 &&
         matrix.rows * matrix.columns == static_cast<std::int64_t>(matrix.values.size());
}

/// Three or two in a row, or as many as leave room for their titles.
int maps_per_row(const std::vector<Map>& maps) {
  constexpr double kAround = 60;
  int count = maps.size() == 4 ? 2 : static_cast<int>(std::min<std::size_t>(maps.size(), 3));
  double widest = 0;
  for (const Map& map : maps)
    widest =
        std::max({widest, text_width(map.title, kTextSize), text_width(map.note.plain(), 9.5)});
  while (count > 1 && widest > kFigureWidth / count - kAround) --count;
  return count;
}

}  // namespace

std::string explanation_curves(const SortednessStudy& study, const SortExplanation& explanation) {
  LineFigure figure;
  figure.text = {.title = explanation.title,
                 .subtitle = explanation.formula,
                 .caption = explanation.predicted.empty()
                                ? "Measured in these members."
                                : "Thin and dashed: predicted. Coloured: measured in these "
                                  "members; bands: intervals."};
  LinePanel panel;
  panel.x_label = explanation.x_label;
  panel.title = explanation.y_label;  // may be long: it stands above the axis
  if (explanation.log_x) {
    panel.x_kind = AxisKind::log;
    panel.x_ticks = octaves(1, 1e9);
  }
  if (explanation.x_label.find("length") != std::string::npos)
    panel.shade = length_panel(study, "", "").shade;
  const auto add = [&](const std::vector<SortCurve>& curves, bool predicted) {
    for (std::size_t i = 0; i < curves.size(); ++i) {
      const Series line = explained_line(curves[i], i, predicted);
      panel.series.push_back(line);
      figure.legend.push_back(
          {fmt::format("{}: {}", predicted ? "predicted" : "measured", curves[i].label), line.ink,
           line.width, line.dashes});
    }
  };
  add(explanation.measured, false);
  add(explanation.predicted, true);
  if (panel.series.empty()) return "";
  if (wants_log(panel)) panel.y_kind = AxisKind::log;
  figure.panels = {panel};
  figure.panel_height = 300;
  return draw(figure);
}

std::string explanation_maps(const SortExplanation& explanation) {
  MapFigure figure;
  figure.text = {.title = explanation.title, .subtitle = explanation.formula, .caption = ""};
  figure.most = 0;
  bool split = false;
  for (const SortMap& matrix : explanation.maps) {
    if (!whole(matrix)) continue;
    figure.maps.push_back(map_of(matrix));
    split = split || figure.maps.back().split > 0;
    for (const double value : matrix.values) {
      if (!std::isfinite(value)) continue;
      figure.most = std::max(figure.most, std::abs(value));
      figure.diverges = figure.diverges || value < 0;
    }
  }
  if (figure.maps.empty()) return "";
  if (figure.most == 0) figure.most = 1;
  if (split)
    figure.text.caption =
        "Orange bar: rows that training has used; those below the line never were.";
  figure.cell = 60;
  figure.same_cells = false;
  figure.maps_per_row = maps_per_row(figure.maps);
  figure.most_height = 300;
  figure.value_label = figure.diverges ? "value" : "darker is more";
  return draw(figure);
}

std::string maps_file(const SortExplanation& explanation) {
  if (explanation.id == "embedding") return "learned_position_embeddings.svg";
  if (explanation.id == "encodings") return "encoding_comparison.svg";
  return fmt::format("figures/{}_maps.svg", file_part(explanation.id));
}

}  // namespace heddle::report
