// See scatter.hpp.
#include "heddle/report/draw/scatter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace heddle::report {
namespace {

constexpr double kSpotTickText = 10.5, kSpot = 4, kFaintSpot = 2.2, kFaintSpotOpacity = 0.22,
                 kNameGap = 7, kPad = 0.04;

bool overlap(const Box& a, const Box& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/// A label with the paper that it takes.
struct Placed {
  double x = 0, y = 0;
  Anchor anchor = Anchor::start;
  Box box;
};

class Scatter {
 public:
  Scatter(Svg& svg, const ScatterFigure& figure, const Box& plot)
      : svg_(svg), figure_(figure), plot_(plot), x_(x_axis(figure)), y_(y_axis(figure)) {
    x_.lay_out(plot.x, plot.x + plot.width);
    y_.lay_out(plot.y + plot.height, plot.y);
  }

  void draw() {
    draw_axes();
    for (const ScatterPoint& spot : figure_.spots)
      if (spot.faint) svg_.dot(x_(spot.x), y_(spot.y), kFaintSpot, spot.ink, kFaintSpotOpacity);
    for (const ScatterPoint& spot : figure_.spots)
      if (!spot.faint) draw_spot(spot);
    for (const ScatterPoint& spot : figure_.spots)
      if (!spot.label.empty()) draw_label(spot);
  }

 private:
  void draw_axes() {
    const double right = plot_.x + plot_.width, bottom = plot_.y + plot_.height;
    for (const Tick& tick : y_.ticks(figure_.y_style)) {
      svg_.line(plot_.x, y_(tick.value), right, y_(tick.value), {.ink = Ink::grid});
      svg_.text(plot_.x - 6, y_(tick.value) + 3.5, tick.text,
                {.size = kSpotTickText, .ink = Ink::muted, .anchor = Anchor::end, .scale = true});
    }
    for (const Tick& tick : x_.ticks(figure_.x_style, 7)) {
      svg_.line(x_(tick.value), bottom, x_(tick.value), bottom + 4, {.ink = Ink::muted});
      svg_.text(
          x_(tick.value), bottom + 16, tick.text,
          {.size = kSpotTickText, .ink = Ink::muted, .anchor = Anchor::middle, .scale = true});
    }
    svg_.line(plot_.x, bottom, right, bottom, {.ink = Ink::muted});
    svg_.text(plot_.x + plot_.width / 2, bottom + 34, figure_.x_label,
              {.size = kTextSize, .anchor = Anchor::middle});
    svg_.text(plot_.x - 46, plot_.y + plot_.height / 2, figure_.y_label,
              {.size = kTextSize, .anchor = Anchor::middle, .turn = -90});
  }

  void draw_spot(const ScatterPoint& spot) {
    if (std::isfinite(spot.low) && std::isfinite(spot.high) && std::isfinite(spot.y))
      svg_.line(x_(spot.x), y_(spot.low), x_(spot.x), y_(spot.high),
                {.ink = spot.ink, .width = 1.4, .opacity = 0.7});
    svg_.dot(x_(spot.x), y_(spot.y), kSpot, spot.ink);
  }

  /// Right of its point, left, above or below: the first place that is free.
  std::optional<Placed> free_place(const ScatterPoint& spot) const {
    const double width = text_width(spot.label, kTextSize), height = 0.75 * kTextSize;
    const double x = x_(spot.x), y = y_(spot.y);
    const std::array<Placed, 4> places{
        {{x + kNameGap, y + 4, Anchor::start, {x + kNameGap, y + 4 - height, width, height}},
         {x - kNameGap, y + 4, Anchor::end, {x - kNameGap - width, y + 4 - height, width, height}},
         {x, y - kNameGap, Anchor::middle, {x - width / 2, y - kNameGap - height, width, height}},
         {x, y + kNameGap + height, Anchor::middle, {x - width / 2, y + kNameGap, width, height}}}};
    const auto* const found =
        std::ranges::find_if(places, [&](const Placed& place) { return is_free(place.box, spot); });
    return found == places.end() ? std::nullopt : std::optional(*found);
  }

  bool is_free(const Box& box, const ScatterPoint& self) const {
    if (box.x < plot_.x || box.x + box.width > plot_.x + plot_.width || box.y < plot_.y ||
        box.y + box.height > plot_.y + plot_.height)
      return false;
    const auto touches = [&](const Box& other) { return overlap(box, other); };
    if (std::ranges::any_of(taken_, touches)) return false;
    return std::ranges::none_of(figure_.spots, [&](const ScatterPoint& spot) {
      return !spot.faint && &spot != &self &&
             touches({x_(spot.x) - kSpot, y_(spot.y) - kSpot, 2 * kSpot, 2 * kSpot});
    });
  }

  void draw_label(const ScatterPoint& spot) {
    const auto place = free_place(spot);
    if (!place) return;
    svg_.text(place->x, place->y, spot.label,
              {.size = kTextSize, .ink = spot.ink, .anchor = place->anchor});
    taken_.push_back(
        {place->box.x - 3, place->box.y - 2, place->box.width + 6, place->box.height + 4});
  }

  Svg& svg_;
  const ScatterFigure& figure_;
  Box plot_;
  Axis x_, y_;
  std::vector<Box> taken_;
};

}  // namespace

Axis x_axis(const ScatterFigure& figure) {
  Extent extent;
  for (const ScatterPoint& spot : figure.spots) extent.add(spot.x);
  return {AxisKind::linear, extent.low, extent.high};
}

Axis y_axis(const ScatterFigure& figure) {
  Extent extent;
  for (const ScatterPoint& spot : figure.spots) {
    extent.add(spot.y);
    if (spot.faint) continue;
    extent.add(spot.low);
    extent.add(spot.high);
  }
  const double pad = kPad * (extent.high - extent.low);  // most lie on the lowest value
  return {AxisKind::linear, extent.low - pad, extent.high + pad, !(pad > 0)};
}

std::string draw(const ScatterFigure& figure) {
  const double top = heading_height(figure.text, figure.legend, kFigureWidth) + 6;
  Svg svg(kFigureWidth, top + figure.height + caption_height(figure.text, kFigureWidth) + 6);
  draw_heading(svg, figure.text, figure.legend);
  Scatter(svg, figure, {kMargin + 52, top, kFigureWidth - 2 * kMargin - 62, figure.height - 44})
      .draw();
  draw_caption(svg, figure.text);
  return svg.finish(figure.text.title, figure.text.subtitle + " " + figure.text.caption);
}

}  // namespace heddle::report
