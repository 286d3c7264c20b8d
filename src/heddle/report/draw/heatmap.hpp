// Maps of numbers: attention of heads, pairs of heads, layers × positions. Darker is more.
#pragma once

#include <string>
#include <vector>

#include "heddle/report/draw/axis.hpp"
#include "heddle/report/draw/layout.hpp"

namespace heddle::report {

/// One map, row by row. What is no number is masked: hatched, and so told apart from 0.
/// Rows and columns may have empty names.
struct Map {
  std::string title;
  Text note;  ///< both above it; the note is smaller and grey
  std::vector<std::string> rows, columns;
  std::vector<double> values;
  std::vector<std::string> words;
  std::vector<Text> notes;  ///< both inside the cells, the note smaller; may be empty
  std::size_t split = 0;    ///< a line below that many rows, and a bar beside them; 0: none
};

struct MapFigure {
  FigureText text;
  std::vector<Map> maps;
  std::vector<std::string> map_rows;  ///< a name for each row of maps, at the left; may be empty
  int maps_per_row = 1;
  double cell = 16;        ///< largest edge of a cell; maps shrink to fit
  bool same_cells = true;  ///< of all maps; else each map fills its room
  double most_height = 0;  ///< of a map: its cells get flat; 0: cells are square
  bool diverges = false;   ///< colours from −most to most, else from 0 to most
  double most = 1;
  TickStyle style = TickStyle::plain;  ///< of the colour bar
  std::string value_label;             ///< at the colour bar
  std::string row_label, column_label;
  double width = kFigureWidth;
};

/// Maps of more cells than this a side, or of very small ones, are one embedded picture.
inline constexpr std::size_t kMostCells = 64;

std::string draw(const MapFigure& figure);

}  // namespace heddle::report
