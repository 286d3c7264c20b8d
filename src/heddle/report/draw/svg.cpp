// See svg.hpp.
#include "heddle/report/draw/svg.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "heddle/base/text.hpp"
#include "heddle/report/draw/base64.hpp"

namespace heddle::report {
namespace {

constexpr std::string_view kFonts =
    "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

std::string attributes(const Stroke& stroke) {
  std::string text =
      fmt::format(R"( class="l-{}" stroke="{}" stroke-width="{}")", class_name(stroke.ink),
                  colour(stroke.ink), coordinate(stroke.width));
  if (stroke.opacity < 1)
    text += fmt::format(R"( stroke-opacity="{}")", coordinate(stroke.opacity));
  if (!stroke.dashes.empty()) text += fmt::format(R"( stroke-dasharray="{}")", stroke.dashes);
  return text;
}

std::string attributes(const Box& box) {
  return fmt::format(R"( x="{}" y="{}" width="{}" height="{}")", coordinate(box.x),
                     coordinate(box.y), coordinate(box.width), coordinate(box.height));
}

std::string path_of(const Points& points) {
  std::string path;
  bool pen_down = false;
  for (const auto& [x, y] : points) {
    if (!std::isfinite(x) || !std::isfinite(y)) {
      pen_down = false;
      continue;
    }
    path += fmt::format("{}{} {}", pen_down ? "L" : "M", coordinate(x), coordinate(y));
    pen_down = true;
  }
  return path;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? ' ' : c;
    }
  }
  return out;
}

std::string coordinate(double value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

namespace {

bool inside_letter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

double ems_of(char c) {
  if (inside_letter(c)) return 0;
  if (std::string_view("iljtfrI.,:;|'! ()[]").find(c) != std::string_view::npos) return 0.32;
  if (std::string_view("mwMW%").find(c) != std::string_view::npos) return 0.88;
  return c >= 'A' && c <= 'Z' ? 0.68 : 0.56;
}

}  // namespace

double text_width(std::string_view text, double size) {
  double ems = 0;
  for (const char c : text) ems += ems_of(c);
  return ems * size;
}

std::string fitted(std::string text, double size, double width) {
  if (text_width(text, size) <= width) return text;
  // The longest start that fits with the mark, in one pass: a text may have any length.
  constexpr std::string_view kMark = "…";
  double ems = 0;
  std::size_t kept = 0;
  while (kept < text.size() && (ems + ems_of(text[kept]) + ems_of(kMark.front())) * size <= width)
    ems += ems_of(text[kept++]);
  while (kept > 0 && kept < text.size() && inside_letter(text[kept])) --kept;
  text.resize(kept);
  return text + std::string(kMark);
}

Text fitted_text(const Text& text, double size, double width) {
  const std::string plain = text.plain();
  return text_width(plain, size) <= width ? text : Text(fitted(plain, size, width));
}

void Svg::line(double x1, double y1, double x2, double y2, const Stroke& stroke) {
  body_ += fmt::format(R"(<line x1="{}" y1="{}" x2="{}" y2="{}"{}/>)"
                       "\n",
                       coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2),
                       attributes(stroke));
}

void Svg::lines(const Points& points, const Stroke& stroke) {
  const std::string path = path_of(points);
  if (path.empty()) return;
  body_ += fmt::format(R"(<path d="{}" fill="none" stroke-linejoin="round"{}/>)"
                       "\n",
                       path, attributes(stroke));
}

void Svg::area(const Points& points, Ink ink, double opacity) {
  const std::string path = path_of(points);
  if (path.empty()) return;
  body_ += fmt::format(R"(<path d="{}Z" class="f-{}" fill="{}" fill-opacity="{}"/>)"
                       "\n",
                       path, class_name(ink), colour(ink), coordinate(opacity));
}

void Svg::box(const Box& box, Ink ink, double opacity) {
  body_ +=
      fmt::format(R"(<rect{} class="f-{}" fill="{}"{}/>)"
                  "\n",
                  attributes(box), class_name(ink), colour(ink),
                  opacity < 1 ? fmt::format(R"( fill-opacity="{}")", coordinate(opacity)) : "");
}

void Svg::cell(const Box& box, std::string_view fill, std::string_view tip) {
  const std::string start = fmt::format(R"(<rect{} fill="{}")", attributes(box), fill);
  body_ += tip.empty() ? start + "/>\n"
                       : start + fmt::format("><title>{}</title></rect>\n", escaped(tip));
}

void Svg::frame(const Box& box, const Stroke& stroke) {
  body_ += fmt::format(R"(<rect{} fill="none"{}/>)"
                       "\n",
                       attributes(box), attributes(stroke));
}

void Svg::hatched(const Box& box) {
  hatches_ = true;
  body_ += fmt::format(R"x(<rect{} fill="url(#hatch)"/>)x"
                       "\n",
                       attributes(box));
}

void Svg::dot(double x, double y, double radius, Ink ink, double opacity) {
  if (!std::isfinite(x) || !std::isfinite(y)) return;
  body_ +=
      fmt::format(R"(<circle cx="{}" cy="{}" r="{}" class="f-{}" fill="{}"{}/>)"
                  "\n",
                  coordinate(x), coordinate(y), coordinate(radius), class_name(ink), colour(ink),
                  opacity < 1 ? fmt::format(R"( fill-opacity="{}")", coordinate(opacity)) : "");
}

void Svg::text(double x, double y, std::string_view words, const TextStyle& style) {
  put_text(x, y, escaped(words), style);
}

void Svg::sourced_text(double x, double y, const Text& words, const TextStyle& style) {
  std::string inside;
  for (const Piece& piece : words.pieces)
    inside += piece.how.empty() ? escaped(piece.text)
                                : fmt::format(R"(<tspan data-how="{}" data-from="{}">{}</tspan>)",
                                              escaped(piece.how), escaped(join(piece.from, " ")),
                                              escaped(piece.text));
  put_text(x, y, inside, style);
}

void Svg::put_text(double x, double y, const std::string& inside, const TextStyle& style) {
  if (inside.empty()) return;
  std::string extra = style.scale ? R"( data-how="scale")" : "";
  if (style.anchor == Anchor::middle) extra += R"( text-anchor="middle")";
  if (style.anchor == Anchor::end) extra += R"( text-anchor="end")";
  if (style.bold) extra += R"( font-weight="600")";
  if (style.turn != 0)
    extra += fmt::format(R"x( transform="rotate({} {} {})")x", coordinate(style.turn),
                         coordinate(x), coordinate(y));
  extra += style.colour.empty()
               ? fmt::format(R"( class="f-{}" fill="{}")", class_name(style.ink), colour(style.ink))
               : fmt::format(R"( fill="{}")", style.colour);
  body_ += fmt::format(R"(<text x="{}" y="{}" font-size="{}"{}>{}</text>)"
                       "\n",
                       coordinate(x), coordinate(y), coordinate(style.size), extra, inside);
}

void Svg::image(const Box& box, std::string_view png) {
  body_ += fmt::format(
      R"(<image{} preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,{}"/>)"
      "\n",
      attributes(box), base64(png));
}

std::string Svg::finish(std::string_view title, std::string_view description) const {
  std::string file = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" font-family="{2}">)"
      "\n<title>{3}</title>\n<desc>{4}</desc>\n",
      coordinate(width_), coordinate(height_), kFonts, escaped(title), escaped(description));
  if (hatches_)
    file += fmt::format(
        R"x(<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="{}"/><line x1="0" y1="0" x2="0" y2="5" stroke="{}" stroke-width="1.2"/></pattern></defs>)x"
        "\n",
        colour(Ink::paper), colour(Ink::masked));
  file += fmt::format(R"(<rect width="{}" height="{}" class="f-paper" fill="{}"/>)"
                      "\n",
                      coordinate(width_), coordinate(height_), colour(Ink::paper));
  return file + body_ + "</svg>\n";
}

}  // namespace heddle::report
