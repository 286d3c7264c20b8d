// What every figure has around its data: title, what is shown, caption, legend.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heddle/report/draw/svg.hpp"

namespace heddle::report {

/// The words of a figure. The caption explains intervals and bands.
struct FigureText {
  std::string title, subtitle, caption;
};

/// One entry of a legend: a patch of colour, or a piece of a line where a width is given.
struct LegendEntry {
  std::string label;
  Ink ink = Ink::s0;
  double width = 0;
  std::string dashes = {};
};

inline constexpr double kFigureWidth = 760;
inline constexpr double kMargin = 14;  ///< around the whole figure
inline constexpr double kTitleSize = 15;
inline constexpr double kTextSize = 11;
inline constexpr double kLineHeight = 15;

/// Words broken into lines of at most that width.
std::vector<std::string> wrapped(std::string_view text, double size, double width);

/// Height of title, subtitle and legend, and of the caption, in a figure that wide.
double heading_height(const FigureText& text, const std::vector<LegendEntry>& legend, double width);
double caption_height(const FigureText& text, double width);

/// Draws them; the data stands between.
void draw_heading(Svg& svg, const FigureText& text, const std::vector<LegendEntry>& legend);
void draw_caption(Svg& svg, const FigureText& text);

/// Places of labels, moved as little as is needed to keep `gap` between them, within [low, high].
std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high);

}  // namespace heddle::report
