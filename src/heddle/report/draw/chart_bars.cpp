// Horizontal bars with intervals: see chart.hpp.
#include <algorithm>
#include <cmath>

#include "heddle/report/draw/chart.hpp"

namespace heddle::report {
namespace {

constexpr double kRow = 20, kBarHeight = 12, kGroupRow = 26, kAxis = 44, kTickText = 10.5;
constexpr double kMostLabel = 300, kFaintDot = 2.4, kFaint = 0.45, kBelow = 6;

struct Columns {
  double labels = 0, notes = 0;
};

Columns columns_of(const BarFigure& figure) {
  Columns columns;
  for (const Bar& bar : figure.bars) {
    columns.labels = std::max(columns.labels, text_width(bar.label, kTextSize));
    columns.notes = std::max(columns.notes, text_width(bar.note.plain(), kTickText));
  }
  columns.labels = std::min(columns.labels, kMostLabel) + 10;
  columns.notes += columns.notes > 0 ? 12 : 8;
  return columns;
}

bool starts_group(const BarFigure& figure, std::size_t i) {
  const std::string& group = figure.bars[i].group;
  return !group.empty() && (i == 0 || figure.bars[i - 1].group != group);
}

double rows_height(const BarFigure& figure) {
  double height = 0;
  for (std::size_t i = 0; i < figure.bars.size(); ++i)
    height += kRow + (starts_group(figure, i) ? kGroupRow : 0);
  return height;
}

void draw_axis(Svg& svg, const BarFigure& figure, const Axis& axis, const Box& plot) {
  const double bottom = plot.y + plot.height;
  for (const Tick& tick : axis.ticks(figure.style, 6)) {
    svg.line(axis(tick.value), plot.y, axis(tick.value), bottom, {.ink = Ink::grid});
    svg.text(axis(tick.value), bottom + 15, tick.text,
             {.size = kTickText, .ink = Ink::muted, .anchor = Anchor::middle, .scale = true});
  }
  for (const Reference& line : figure.references) {
    const double x = axis(line.value);
    svg.line(x, plot.y - 4, x, bottom, {.ink = Ink::muted, .dashes = "4 3"});
    svg.text(x + 3, plot.y - 3, line.label, {.size = 10, .ink = Ink::muted});
  }
  svg.text(plot.x + plot.width / 2, bottom + 34, figure.x_label,
           {.size = kTextSize, .anchor = Anchor::middle});
}

void draw_bar(Svg& svg, const Bar& bar, const Axis& axis, double middle, bool dot) {
  if (!std::isfinite(bar.value)) {
    svg.text(axis(std::max(0.0, axis.low())) + 4, middle + 4, "no data",
             {.size = kTickText, .ink = Ink::muted});
    return;
  }
  const double zero = axis(std::clamp(0.0, axis.low(), axis.high())), end = axis(bar.value);
  for (const double value : bar.behind)
    if (std::isfinite(value)) svg.dot(axis(value), middle + kBelow, kFaintDot, bar.ink, kFaint);
  if (!dot)
    svg.box({std::min(zero, end), middle - kBarHeight / 2, std::abs(end - zero), kBarHeight},
            bar.ink, 0.75);
  if (std::isfinite(bar.low) && std::isfinite(bar.high) && bar.high > bar.low) {
    const double low = axis(std::max(bar.low, axis.low()));
    const double high = axis(std::min(bar.high, axis.high()));
    const Stroke whisker{.ink = dot ? bar.ink : Ink::ink, .width = 1.4};
    svg.line(low, middle, high, middle, whisker);
    svg.line(low, middle - 3.5, low, middle + 3.5, whisker);
    svg.line(high, middle - 3.5, high, middle + 3.5, whisker);
  }
  if (dot) svg.dot(end, middle, 4.2, bar.ink);
}

}  // namespace

Axis bar_axis(const BarFigure& figure) {
  Extent extent;
  extent.add(0);
  for (const Bar& bar : figure.bars) {
    for (const double value : {bar.value, bar.low, bar.high}) extent.add(value);
    for (const double value : bar.behind) extent.add(value);
  }
  if (figure.range) extent = *figure.range;
  if (extent.high <= extent.low) extent.high = extent.low + 1;
  const double pad = figure.range ? 0 : 0.02 * (extent.high - extent.low);
  return {AxisKind::linear, extent.low < 0 ? extent.low - pad : extent.low, extent.high + pad,
          false};
}

std::string draw(const BarFigure& figure) {
  const double top = heading_height(figure.text, figure.legend, kFigureWidth) +
                     (figure.references.empty() ? 0 : 12);
  const double rows = std::max(rows_height(figure), kRow);
  Svg svg(kFigureWidth, top + rows + kAxis + caption_height(figure.text, kFigureWidth) + 8);
  draw_heading(svg, figure.text, figure.legend);
  const Columns columns = columns_of(figure);
  const Box plot{kMargin + columns.labels, top,
                 kFigureWidth - 2 * kMargin - columns.labels - columns.notes, rows};
  Axis axis = bar_axis(figure);
  axis.lay_out(plot.x, plot.x + plot.width);
  draw_axis(svg, figure, axis, plot);
  svg.line(axis(std::clamp(0.0, axis.low(), axis.high())), top,
           axis(std::clamp(0.0, axis.low(), axis.high())), top + rows, {.ink = Ink::muted});
  double y = top;
  for (std::size_t i = 0; i < figure.bars.size(); ++i) {
    const Bar& bar = figure.bars[i];
    if (starts_group(figure, i)) {
      svg.box({kMargin, y, kFigureWidth - 2 * kMargin, kGroupRow}, Ink::paper);
      svg.text(kMargin, y + kGroupRow - 9, bar.group, {.size = kTextSize, .bold = true});
      y += kGroupRow;
    }
    const double middle = y + kRow / 2;
    svg.text(plot.x - 8, middle + 4, fitted(bar.label, kTextSize, kMostLabel),
             {.size = kTextSize, .anchor = Anchor::end});
    draw_bar(svg, bar, axis, middle, figure.dots);
    svg.sourced_text(kFigureWidth - kMargin, middle + 4, bar.note,
                     {.size = kTickText, .ink = Ink::muted, .anchor = Anchor::end});
    y += kRow;
  }
  draw_caption(svg, figure.text);
  return svg.finish(figure.text.title, figure.text.subtitle + " " + figure.text.caption);
}

}  // namespace heddle::report
