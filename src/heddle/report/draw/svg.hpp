// Scalable pictures: shapes and real text in, the same bytes out for the same data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heddle/report/document/text.hpp"
#include "heddle/report/draw/palette.hpp"

namespace heddle::report {

/// & < > " ' as XML wants them; control characters become spaces.
std::string escaped(std::string_view text);
/// A coordinate: two decimals at most, no trailing zeros.
std::string coordinate(double value);
/// How wide a text will be, about, in the figures' font.
double text_width(std::string_view text, double size);
/// The text cut with "…" to fit into that width.
std::string fitted(std::string text, double size, double width);
/// The same; what was cut no longer says where it comes from.
Text fitted_text(const Text& text, double size, double width);

enum class Anchor : std::uint8_t { start, middle, end };

struct TextStyle {
  double size = 11;
  Ink ink = Ink::ink;
  Anchor anchor = Anchor::start;
  bool bold = false;
  double turn = 0;               ///< degrees, clockwise, around its place
  std::string_view colour = {};  ///< instead of ink: for text on a coloured cell
  bool scale = false;            ///< a number of an axis, not of the results
};

struct Stroke {
  Ink ink = Ink::ink;
  double width = 1;
  double opacity = 1;
  std::string_view dashes = {};
};

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

using Points = std::vector<std::pair<double, double>>;

class Svg {
 public:
  Svg(double width, double height) : width_(width), height_(height) {}

  double width() const { return width_; }
  double height() const { return height_; }

  void line(double x1, double y1, double x2, double y2, const Stroke& stroke);
  /// Joined points; what is no number breaks the line.
  void lines(const Points& points, const Stroke& stroke);
  /// A closed shape without an outline.
  void area(const Points& points, Ink ink, double opacity);
  void box(const Box& box, Ink ink, double opacity = 1);
  /// A cell of a map; `tip` appears when the pointer rests on it.
  void cell(const Box& box, std::string_view fill, std::string_view tip = {});
  void frame(const Box& box, const Stroke& stroke);
  /// Hatched: there is nothing to show here.
  void hatched(const Box& box);
  void dot(double x, double y, double radius, Ink ink, double opacity = 1);
  void text(double x, double y, std::string_view words, const TextStyle& style);
  /// Pieces that are read from the results say from where, as those of the page do.
  void sourced_text(double x, double y, const Text& words, const TextStyle& style);
  /// A PNG picture, its pixels kept sharp.
  void image(const Box& box, std::string_view png);

  /// The whole file; title and description are for those who cannot see it.
  std::string finish(std::string_view title, std::string_view description) const;

 private:
  void put_text(double x, double y, const std::string& inside, const TextStyle& style);

  double width_, height_;
  bool hatches_ = false;
  std::string body_;
};

}  // namespace heddle::report
