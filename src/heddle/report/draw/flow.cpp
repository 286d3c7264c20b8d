// See flow.hpp.
#include "heddle/report/draw/flow.hpp"

#include <algorithm>

namespace heddle::report {
namespace {

constexpr double kBoxHeight = 30, kBoxGap = 8, kBetween = 12, kLaneTitle = 24, kLaneGap = 10;
constexpr double kStageText = 10, kNoteText = 9, kMostLine = 6;
constexpr int kCurve = 12;  // pieces of a line

std::vector<const FlowNode*> nodes_at(const FlowLane& lane, std::size_t stage) {
  std::vector<const FlowNode*> found;
  for (const FlowNode& node : lane.nodes)
    if (node.stage == stage) found.push_back(&node);
  return found;
}

double lane_height(const FlowFigure& figure, const FlowLane& lane) {
  std::size_t most = 1;
  for (std::size_t stage = 0; stage < figure.stages.size(); ++stage)
    most = std::max(most, nodes_at(lane, stage).size());
  return kLaneTitle + static_cast<double>(most) * (kBoxHeight + kBoxGap) + kLaneGap;
}

class Lane {
 public:
  Lane(Svg& svg, const FlowFigure& figure, const FlowLane& lane, double top)
      : svg_(svg), lane_(lane), stages_(figure.stages.size()) {
    step_ = (kFigureWidth - 2 * kMargin) / static_cast<double>(std::max<std::size_t>(stages_, 1));
    middle_ = top + kLaneTitle + (lane_height(figure, lane) - kLaneTitle - kLaneGap) / 2;
    svg_.text(kMargin, top + 13, lane.title, {.size = 12, .bold = true});
  }

  void draw() {
    std::vector<const FlowNode*> before;
    for (std::size_t stage = 0; stage < stages_; ++stage) {
      const auto here = nodes_at(lane_, stage);
      if (here.empty()) continue;
      for (const FlowNode* from : before)
        for (const FlowNode* to : here) join(box_of(*from), box_of(*to), to->weight);
      before = here;
    }
    for (const FlowNode& node : lane_.nodes)
      if (node.stage < stages_) draw_node(node);
  }

 private:
  Box box_of(const FlowNode& node) const {
    const auto column = nodes_at(lane_, node.stage);
    const auto place = static_cast<double>(std::ranges::find(column, &node) - column.begin());
    const double high = static_cast<double>(column.size()) * (kBoxHeight + kBoxGap) - kBoxGap;
    return {kMargin + step_ * static_cast<double>(node.stage) + kBetween / 2,
            middle_ - high / 2 + place * (kBoxHeight + kBoxGap), step_ - kBetween, kBoxHeight};
  }

  /// From the right side of one box to the left side of another, level at both ends.
  void join(const Box& from, const Box& to, double weight) {
    const double x1 = from.x + from.width, y1 = from.y + from.height / 2;
    const double x2 = to.x, y2 = to.y + to.height / 2;
    Points points;
    for (int i = 0; i <= kCurve; ++i) {
      const double t = static_cast<double>(i) / kCurve, ease = t * t * (3 - 2 * t);
      points.emplace_back(x1 + t * (x2 - x1), y1 + ease * (y2 - y1));
    }
    svg_.lines(points, {.ink = Ink::muted,
                        .width = 1 + (kMostLine - 1) * std::clamp(weight, 0.0, 1.0),
                        .opacity = 0.45});
  }

  void draw_node(const FlowNode& node) {
    const Box box = box_of(node);
    const std::string fill = sequential(node.weight);
    const std::string_view text = is_dark(fill) ? colour(Ink::paper) : colour(Ink::ink);
    svg_.cell(box, fill);
    svg_.frame(box, {.ink = Ink::masked});
    const double x = box.x + box.width / 2;
    svg_.text(x, box.y + 13, fitted(node.label, kTextSize, box.width - 4),
              {.size = kTextSize, .anchor = Anchor::middle, .bold = true, .colour = text});
    svg_.sourced_text(x, box.y + 25, fitted_text(node.note, kNoteText, box.width - 4),
                      {.size = kNoteText, .anchor = Anchor::middle, .colour = text});
  }

  Svg& svg_;
  const FlowLane& lane_;
  std::size_t stages_;
  double step_ = 0, middle_ = 0;
};

}  // namespace

std::string draw(const FlowFigure& figure) {
  const double top = heading_height(figure.text, {}, kFigureWidth) + 14;
  double height = top + 6 + caption_height(figure.text, kFigureWidth) + 8;
  for (const FlowLane& lane : figure.lanes) height += lane_height(figure, lane);
  Svg svg(kFigureWidth, height);
  draw_heading(svg, figure.text, {});
  const auto stages = static_cast<double>(std::max<std::size_t>(figure.stages.size(), 1));
  const double step = (kFigureWidth - 2 * kMargin) / stages;
  for (std::size_t i = 0; i < figure.stages.size(); ++i)
    svg.text(kMargin + step * (static_cast<double>(i) + 0.5), top,
             fitted(figure.stages[i], kStageText, step - 4),
             {.size = kStageText, .ink = Ink::muted, .anchor = Anchor::middle});
  double y = top + 6;
  for (const FlowLane& lane : figure.lanes) {
    Lane(svg, figure, lane, y).draw();
    y += lane_height(figure, lane);
  }
  draw_caption(svg, figure.text);
  return svg.finish(figure.text.title, figure.text.subtitle + " " + figure.text.caption);
}

}  // namespace heddle::report
