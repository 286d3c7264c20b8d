// Lines with bands: see chart.hpp.
#include <algorithm>
#include <cmath>

#include "heddle/base/index.hpp"
#include "heddle/report/draw/chart.hpp"

namespace heddle::report {
namespace {

constexpr double kLineTickText = 10.5, kLabelGap = 13, kBand = 0.16, kDot = 2.6, kShade = 0.1,
                 kFewBands = 4;
constexpr double kSmallWidth = 420;  // panels below this have fewer ticks

void add_all(Extent& extent, const std::vector<double>& values, AxisKind kind) {
  for (const double value : values)
    if (kind == AxisKind::linear || value > 0) extent.add(value);
}

/// A log axis needs something above 0.
Extent usable(const Extent& extent, AxisKind kind) {
  return kind == AxisKind::log && !extent.any ? Extent{.low = 1, .high = 10, .any = true} : extent;
}

/// Every n-th tick, n the least that keeps the texts apart.
std::vector<Tick> apart(const std::vector<Tick>& ticks, const Axis& axis) {
  for (std::size_t every = 1;; ++every) {
    std::vector<Tick> kept;
    bool touch = false;
    for (std::size_t i = 0; i < ticks.size(); i += every) {
      if (!kept.empty())
        touch = touch || std::abs(axis(ticks[i].value) - axis(kept.back().value)) <
                             (text_width(ticks[i].text, kLineTickText) +
                              text_width(kept.back().text, kLineTickText)) /
                                     2 +
                                 5;
      kept.push_back(ticks[i]);
    }
    if (!touch) return kept;
  }
}

/// Room on the right for the labels at the ends of lines.
double label_room(const LinePanel& panel) {
  double widest = 0;
  for (const Series& series : panel.series)
    widest = std::max(widest, text_width(series.label, kTextSize));
  return widest > 0 ? widest + 12 : 10;
}

class Panel {
 public:
  Panel(Svg& svg, const LinePanel& panel, const Box& room)
      : svg_(svg), panel_(panel), x_(x_axis(panel)), y_(y_axis(panel)) {
    const double left = 58, below = 42, above = panel.title.empty() ? 8 : 24;
    plot_ = {room.x + left, room.y + above, room.width - left - label_room(panel),
             room.height - above - below};
    const double right = plot_.x + plot_.width;
    x_.lay_out(panel.x_falls ? right : plot_.x, panel.x_falls ? plot_.x : right);
    y_.lay_out(plot_.y + plot_.height, plot_.y);
    wide_ = room.width >= kSmallWidth;
    const auto bands = static_cast<double>(std::ranges::count_if(
        panel.series, [](const Series& series) { return !series.low.empty(); }));
    band_ = kBand * std::min(1.0, kFewBands / std::max(1.0, bands));
  }

  void draw() {
    const double room = plot_.width + label_room(panel_);
    svg_.text(plot_.x, plot_.y - 9, fitted(panel_.title, 12, room), {.size = 12, .bold = true});
    draw_shade();
    draw_axes();
    for (const Series& series : panel_.series) draw_band(series);
    for (const Series& series : panel_.series) draw_line(series);
    draw_labels();
  }

 private:
  void draw_shade() {
    if (!panel_.shade) return;
    const double from = x_(std::max(panel_.shade->from, x_.low()));
    const double to = x_(std::min(panel_.shade->to, x_.high()));
    const double low = std::min(from, to), high = std::max(from, to);
    svg_.box({low, plot_.y, high - low, plot_.height}, Ink::muted, kShade);
    if (text_width(panel_.shade->label, kLineTickText) + 6 <= high - low)
      svg_.text((low + high) / 2, plot_.y + plot_.height - 6, panel_.shade->label,
                {.size = kLineTickText, .ink = Ink::muted, .anchor = Anchor::middle});
  }

  std::vector<Tick> x_marks() const {
    if (panel_.x_ticks.empty()) return x_.ticks(panel_.x_style, wide_ ? 7 : 4);
    std::vector<double> inside = panel_.x_ticks;
    std::erase_if(inside, [&](double value) { return value < x_.low() || value > x_.high(); });
    return apart(ticks_at(inside, panel_.x_style), x_);
  }

  void draw_axes() {
    const double right = plot_.x + plot_.width, bottom = plot_.y + plot_.height;
    for (const Tick& tick : y_.ticks(panel_.y_style)) {
      svg_.line(plot_.x, y_(tick.value), right, y_(tick.value), {.ink = Ink::grid});
      svg_.text(plot_.x - 6, y_(tick.value) + 3.5, tick.text,
                {.size = kLineTickText, .ink = Ink::muted, .anchor = Anchor::end, .scale = true});
    }
    for (const Tick& tick : x_marks()) {
      svg_.line(x_(tick.value), bottom, x_(tick.value), bottom + 4, {.ink = Ink::muted});
      svg_.text(
          x_(tick.value), bottom + 16, tick.text,
          {.size = kLineTickText, .ink = Ink::muted, .anchor = Anchor::middle, .scale = true});
    }
    svg_.line(plot_.x, bottom, right, bottom, {.ink = Ink::muted});
    svg_.text(plot_.x + plot_.width / 2, bottom + 34, panel_.x_label,
              {.size = kTextSize, .anchor = Anchor::middle});
    svg_.text(plot_.x - 46, plot_.y + plot_.height / 2,
              fitted(panel_.y_label, kTextSize, plot_.height + 40),
              {.size = kTextSize, .anchor = Anchor::middle, .turn = -90});
    for (const Reference& line : panel_.references) {
      svg_.line(plot_.x, y_(line.value), right, y_(line.value),
                {.ink = Ink::muted, .dashes = "4 3"});
      svg_.text(right - 4, y_(line.value) + (line.below ? kLineTickText + 2 : -4), line.label,
                {.size = kLineTickText, .ink = Ink::muted, .anchor = Anchor::end});
    }
  }

  void draw_band(const Series& series) {
    if (series.low.empty()) return;
    Points around;
    for (std::size_t i = 0; i < series.x.size(); ++i)
      if (std::isfinite(series.low[i]) && std::isfinite(series.high[i]))
        around.emplace_back(x_(series.x[i]), y_(std::min(series.high[i], y_.high())));
    for (std::size_t i = series.x.size(); i-- > 0;)
      if (std::isfinite(series.low[i]) && std::isfinite(series.high[i]))
        around.emplace_back(x_(series.x[i]), y_(std::max(series.low[i], y_.low())));
    svg_.area(around, series.ink, band_);
  }

  void draw_line(const Series& series) {
    Points points;
    for (std::size_t i = 0; i < series.x.size(); ++i)
      points.emplace_back(x_(series.x[i]), y_(series.y[i]));
    svg_.lines(points, {.ink = series.ink,
                        .width = series.width,
                        .opacity = series.opacity,
                        .dashes = series.dashes});
    if (series.dots || points.size() == 1)
      for (const auto& [x, y] : points) svg_.dot(x, y, kDot, series.ink, series.opacity);
  }

  /// The place of the last point that is a number, seen from the left of the paper.
  std::optional<std::pair<double, double>> end_of(const Series& series) const {
    std::optional<std::pair<double, double>> end;
    for (std::size_t i = 0; i < series.x.size(); ++i)
      if (std::isfinite(series.y[i]) && (!end || x_(series.x[i]) >= end->first))
        end = {x_(series.x[i]), y_(series.y[i])};
    return end;
  }

  void draw_labels() {
    std::vector<const Series*> named;
    std::vector<double> wanted;
    for (const Series& series : panel_.series)
      if (const auto end = end_of(series); end && !series.label.empty()) {
        named.push_back(&series);
        wanted.push_back(end->second + 4);
      }
    const auto placed = spread(wanted, kLabelGap, plot_.y + 4, plot_.y + plot_.height + 4);
    for (std::size_t i = 0; i < named.size(); ++i)
      svg_.text(plot_.x + plot_.width + 6, placed[i], named[i]->label,
                {.size = kTextSize, .ink = named[i]->ink});
  }

  Svg& svg_;
  const LinePanel& panel_;
  Axis x_, y_;
  Box plot_;
  bool wide_ = true;
  double band_ = kBand;  // fainter where many lie on each other
};

}  // namespace

std::vector<double> octaves(double low, double high) {
  std::vector<double> all;
  for (int power = 0; power < 40; ++power)
    if (const double value = std::ldexp(1.0, power); value >= low && value <= high)
      all.push_back(value);
  return all;
}

Axis x_axis(const LinePanel& panel) {
  Extent extent;
  for (const Series& series : panel.series) add_all(extent, series.x, panel.x_kind);
  extent = usable(extent, panel.x_kind);
  return {panel.x_kind, extent.low, extent.high, false};
}

Axis y_axis(const LinePanel& panel) {
  Extent extent;
  for (const Series& series : panel.series)
    for (const auto* values : {&series.y, &series.low, &series.high})
      add_all(extent, *values, panel.y_kind);
  for (const Reference& line : panel.references) add_all(extent, {line.value}, panel.y_kind);
  if (panel.y_range) extent = *panel.y_range;
  extent = usable(extent, panel.y_kind);
  return {panel.y_kind, extent.low, extent.high, true, panel.y_style};
}

std::string draw(const LineFigure& figure) {
  const double top = heading_height(figure.text, figure.legend, kFigureWidth);
  const auto columns = to_size(std::max(figure.columns, 1));
  const std::size_t rows = (figure.panels.size() + columns - 1) / columns;
  const double height = top + figure.panel_height * static_cast<double>(rows) +
                        caption_height(figure.text, kFigureWidth) + 6;
  Svg svg(kFigureWidth, height);
  draw_heading(svg, figure.text, figure.legend);
  const double wide = (kFigureWidth - kMargin) / static_cast<double>(columns);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const std::size_t row = i / columns, column = i % columns;
    const Box room{kMargin / 2 + wide * static_cast<double>(column),
                   top + figure.panel_height * static_cast<double>(row), wide, figure.panel_height};
    Panel(svg, figure.panels[i], room).draw();
  }
  draw_caption(svg, figure.text);
  return svg.finish(figure.text.title, figure.text.subtitle + " " + figure.text.caption);
}

}  // namespace heddle::report
