// Charts: lines with bands on linear and log axes, horizontal bars with intervals, small multiples.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heddle/report/draw/axis.hpp"
#include "heddle/report/draw/layout.hpp"

namespace heddle::report {

/// A line; what is no number is a gap. low and high, where given, are its band.
struct Series {
  std::string label;  ///< at its right end; empty: none
  std::vector<double> x, y, low, high;
  Ink ink = Ink::s0;
  double width = 2;
  double opacity = 1;
  std::string dashes;
  bool dots = false;
};

/// A line across the panel at a value of y.
struct Reference {
  double value = 0;
  std::string label;
  bool below = false;  ///< the label stands below the line
};

/// A stretch of the x axis behind the lines: the lengths that a training saw.
struct ShadedRange {
  double from = 0, to = 0;
  std::string label;  ///< inside it, at the bottom; left out where it does not fit
};

struct LinePanel {
  std::string title, x_label, y_label;
  AxisKind x_kind = AxisKind::linear, y_kind = AxisKind::linear;
  TickStyle x_style = TickStyle::plain, y_style = TickStyle::plain;
  std::vector<Series> series;
  std::vector<Reference> references;
  std::optional<Extent> y_range;  ///< instead of the data's own
  bool x_falls = false;           ///< the axis runs from high to low
  std::vector<double> x_ticks;    ///< instead of the axis's own; every n-th where they would touch
  std::optional<ShadedRange> shade;
};

struct LineFigure {
  FigureText text;
  std::vector<LegendEntry> legend;
  std::vector<LinePanel> panels;
  int columns = 1;
  double panel_height = 300;
};

std::string draw(const LineFigure& figure);

/// A bar with its interval; no interval where low or high is no number.
struct Bar {
  std::string label;
  double value = 0;
  double low = 0, high = 0;
  Ink ink = Ink::s0;
  Text note;                        ///< at the right edge: the value in words
  std::string group;                ///< a heading stands where it changes
  std::vector<double> behind = {};  ///< single values, faint, below it: the seeds of a mean
};

struct BarFigure {
  FigureText text;
  std::vector<LegendEntry> legend;
  std::string x_label;
  TickStyle style = TickStyle::plain;
  std::vector<Bar> bars;
  std::vector<Reference> references;
  std::optional<Extent> range;
  bool dots = false;  ///< marks instead of bars
};

std::string draw(const BarFigure& figure);

/// Powers of two from low to high: ticks for lengths.
std::vector<double> octaves(double low, double high);

/// The axes that a panel will have; they cover its data.
Axis x_axis(const LinePanel& panel);
Axis y_axis(const LinePanel& panel);
Axis bar_axis(const BarFigure& figure);

}  // namespace heddle::report
