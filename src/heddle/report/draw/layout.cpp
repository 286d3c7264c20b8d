// See layout.hpp.
#include "heddle/report/draw/layout.hpp"

#include <algorithm>
#include <numeric>

#include "heddle/base/text.hpp"

namespace heddle::report {
namespace {

constexpr double kSwatch = 10, kLineSwatch = 20, kLegendGap = 16;

double swatch_of(const LegendEntry& entry) {
  return entry.width > 0 ? kLineSwatch : kSwatch;
}
double width_of(const LegendEntry& entry) {
  return swatch_of(entry) + 5 + text_width(entry.label, kTextSize) + kLegendGap;
}

double legend_rows(const std::vector<LegendEntry>& legend, double width) {
  double rows = legend.empty() ? 0 : 1, x = 0;
  for (const LegendEntry& entry : legend) {
    const double wide = width_of(entry);
    if (x > 0 && x + wide > width - 2 * kMargin) {
      ++rows;
      x = 0;
    }
    x += wide;
  }
  return rows;
}

double lines_of(const std::string& text, double width) {
  return text.empty() ? 0
                      : static_cast<double>(wrapped(text, kTextSize, width - 2 * kMargin).size());
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, double size, double width) {
  std::vector<std::string> lines;
  for (const std::string& word : split(text, ' ')) {
    if (!lines.empty() && text_width(lines.back() + " " + word, size) <= width) {
      lines.back().append(" ").append(word);
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

double heading_height(const FigureText& text, const std::vector<LegendEntry>& legend,
                      double width) {
  return kMargin + kTitleSize + 6 + kLineHeight * lines_of(text.subtitle, width) +
         (kLineHeight + 2) * legend_rows(legend, width) + 6;
}

double caption_height(const FigureText& text, double width) {
  return kMargin + kLineHeight * lines_of(text.caption, width);
}

void draw_heading(Svg& svg, const FigureText& text, const std::vector<LegendEntry>& legend) {
  double y = kMargin + kTitleSize - 2;
  svg.text(kMargin, y, fitted(text.title, kTitleSize, svg.width() - 2 * kMargin),
           {.size = kTitleSize, .bold = true});
  y += 5;
  if (!text.subtitle.empty())
    for (const std::string& line : wrapped(text.subtitle, kTextSize, svg.width() - 2 * kMargin))
      svg.text(kMargin, y += kLineHeight, line, {.size = kTextSize, .ink = Ink::muted});
  double x = kMargin;
  if (!legend.empty()) y += kLineHeight + 2;
  for (const LegendEntry& entry : legend) {
    const double wide = width_of(entry);
    if (x > kMargin && x + wide > svg.width() - kMargin) {
      y += kLineHeight + 2;
      x = kMargin;
    }
    if (entry.width > 0) {
      svg.line(x, y - 4, x + kLineSwatch, y - 4,
               {.ink = entry.ink, .width = entry.width, .dashes = entry.dashes});
    } else {
      svg.box({x, y - kSwatch + 1, kSwatch, kSwatch}, entry.ink);
    }
    svg.text(x + swatch_of(entry) + 5, y, entry.label, {.size = kTextSize});
    x += wide;
  }
}

void draw_caption(Svg& svg, const FigureText& text) {
  if (text.caption.empty()) return;
  const auto lines = wrapped(text.caption, kTextSize, svg.width() - 2 * kMargin);
  double y = svg.height() - kMargin - kLineHeight * static_cast<double>(lines.size() - 1);
  for (const std::string& line : lines) {
    svg.text(kMargin, y, line, {.size = kTextSize, .ink = Ink::muted});
    y += kLineHeight;
  }
}

std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return wanted[i]; });
  std::vector<double> placed(wanted.size());
  double least = low;
  for (const std::size_t i : order) {
    placed[i] = std::max(wanted[i], least);
    least = placed[i] + gap;
  }
  double most = high;  // what was pushed over the end comes back
  for (std::size_t k = order.size(); k-- > 0;) {
    placed[order[k]] = std::min(placed[order[k]], most);
    most = placed[order[k]] - gap;
  }
  return placed;
}

}  // namespace heddle::report
