// See heatmap_layout.hpp.
#include "heddle/report/draw/heatmap_layout.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"

namespace heddle::report {
namespace {

constexpr double kGap = 16, kRowName = 22;

double below_of(const MapFigure& figure, const Map& map, double cell) {
  return (names_are_turned(map, cell) ? widest(map.columns) + 10 : 16) +
         (figure.column_label.empty() ? 8 : 20);
}

CellSize cell_of(const MapFigure& figure, const MapLayout& layout, std::size_t across,
                 std::size_t down) {
  const double width =
      std::min(figure.cell, (layout.step - layout.left - kGap) /
                                static_cast<double>(std::max<std::size_t>(across, 1)));
  const double most = figure.most_height > 0
                          ? figure.most_height / static_cast<double>(std::max<std::size_t>(down, 1))
                          : width;
  const double height = std::min(width, most);
  return {.width = across == down ? height : width, .height = height};  // a square stays one
}

void plan_cells(const MapFigure& figure, MapLayout& layout) {
  std::size_t across = 1, down = 1;
  for (const Map& map : figure.maps) {
    across = std::max(across, map.columns.size());
    down = std::max(down, map.rows.size());
    layout.left = std::max(layout.left, widest(map.rows) + 6);
  }
  if (!figure.row_label.empty()) layout.left += 14;
  layout.step = (figure.width - 2 * kMargin) / static_cast<double>(layout.per_row);
  for (const Map& map : figure.maps)
    layout.cells.push_back(figure.same_cells
                               ? cell_of(figure, layout, across, down)
                               : cell_of(figure, layout, map.columns.size(), map.rows.size()));
}

}  // namespace

double widest(const std::vector<std::string>& names) {
  double width = 0;
  for (const std::string& name : names) width = std::max(width, text_width(name, kLabelSize));
  return width;
}

bool names_are_turned(const Map& map, double cell) {
  double before = 0;
  std::size_t last = 0;
  bool first = true;
  for (std::size_t i = 0; i < map.columns.size(); ++i) {
    const double width = text_width(map.columns[i], kLabelSize);
    if (width == 0) continue;
    std::size_t gap = i - last;
    if (first) {  // nothing before it: what comes after it counts
      gap = 1;
      while (i + gap < map.columns.size() && map.columns[i + gap].empty()) ++gap;
    }
    if ((before + width) / 2 > cell * static_cast<double>(gap) - 0.5) return true;
    before = width;
    last = i;
    first = false;
  }
  return false;
}

double above_of(const Map& map) {
  return 6 + (map.title.empty() ? 0 : 14) + (map.note.empty() ? 0 : 12);
}

MapLayout layout_of(const MapFigure& figure) {
  MapLayout layout;
  layout.per_row = to_size(std::max(figure.maps_per_row, 1));
  plan_cells(figure, layout);
  for (std::size_t start = 0; start < figure.maps.size(); start += layout.per_row) {
    double above = 0, below = 0;
    for (std::size_t i = start; i < std::min(start + layout.per_row, figure.maps.size()); ++i) {
      const Map& map = figure.maps[i];
      above = std::max(above, above_of(map));
      below = std::max(below, layout.cells[i].height * static_cast<double>(map.rows.size()) +
                                  below_of(figure, map, layout.cells[i].width));
    }
    if (start / layout.per_row < figure.map_rows.size()) above += kRowName;
    layout.tops.push_back(layout.height + above);
    layout.height += above + below;
  }
  return layout;
}

}  // namespace heddle::report
