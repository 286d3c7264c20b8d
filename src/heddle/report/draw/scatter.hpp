// Points on two axes, those that matter with their names.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "heddle/report/draw/axis.hpp"
#include "heddle/report/draw/layout.hpp"

namespace heddle::report {

/// A point; low and high, where they are numbers, are the interval of y.
struct ScatterPoint {
  double x = 0, y = 0;
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
  std::string label;  ///< beside it where there is room; empty: none
  Ink ink = Ink::s0;
  bool faint = false;  ///< one of many in the background
};

struct ScatterFigure {
  FigureText text;
  std::vector<LegendEntry> legend;
  std::string x_label, y_label;
  TickStyle x_style = TickStyle::plain, y_style = TickStyle::plain;
  std::vector<ScatterPoint> spots;
  double height = 320;  ///< of the plot with its axes
};

std::string draw(const ScatterFigure& figure);

/// The axes that it will have; they cover its points and intervals.
Axis x_axis(const ScatterFigure& figure);
Axis y_axis(const ScatterFigure& figure);

}  // namespace heddle::report
