// Something that travels from stage to stage: boxes in columns, lines between them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "heddle/report/draw/layout.hpp"

namespace heddle::report {

/// A box; darker means that more of it passes there.
struct FlowNode {
  std::size_t stage = 0;
  std::string label;
  Text note;          ///< below it, smaller
  double weight = 0;  ///< 0 … 1
};

/// One thing on its way, on a strip of paper of its own.
struct FlowLane {
  std::string title;
  std::vector<FlowNode> nodes;
};

struct FlowFigure {
  FigureText text;
  std::vector<std::string> stages;  ///< a heading for each column
  std::vector<FlowLane> lanes;
};

/// Every box is joined with those of the next stage that has any; the line is as wide as the weight
/// of the box that it leads to.
std::string draw(const FlowFigure& figure);

}  // namespace heddle::report
