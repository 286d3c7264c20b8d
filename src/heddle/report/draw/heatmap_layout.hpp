// How the maps of a figure stand on the paper: see heatmap.hpp.
#pragma once

#include <string>
#include <vector>

#include "heddle/report/draw/heatmap.hpp"

namespace heddle::report {

inline constexpr double kLabelSize = 9.5;  ///< of the names beside a map

struct CellSize {
  double width = 0, height = 0;
};

struct MapLayout {
  double left = 0, step = 0;    ///< room for the names of rows; from one map to the next
  std::vector<CellSize> cells;  ///< of each map
  std::size_t per_row = 1;
  std::vector<double> tops;  ///< where the cells of each row of maps begin
  double height = 0;
};

MapLayout layout_of(const MapFigure& figure);

/// The width of the longest of these names.
double widest(const std::vector<std::string>& names);
/// Names of columns are turned when neighbours would touch.
bool names_are_turned(const Map& map, double cell);
/// What stands above a map: its title and its note.
double above_of(const Map& map);

}  // namespace heddle::report
