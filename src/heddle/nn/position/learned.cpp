// Learned positions: one row per place, and an explicit rule for places past the table.
#include "heddle/nn/position/position.hpp"

namespace heddle {

Position Position::learned(const Builder& at, Index length, Index width, PastEnd past_end) {
  constexpr Index kUntrainedRows = 4096;  // how far `untrained` reaches
  constexpr double kDeviation = 1;        // that of the token rows it is added to
  Position position;
  const Index rows = past_end == PastEnd::untrained ? std::max(length, kUntrainedRows) : length;
  position.weight_ = at.table("position", rows, width, {.mean = 0, .deviation = kDeviation});
  position.trained_ = length;
  position.past_end_ = past_end;
  return position;
}

}  // namespace heddle
