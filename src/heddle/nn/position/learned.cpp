// Learned positions: one row per place, and an explicit rule for places past the table.
#include "heddle/nn/position/position.hpp"

namespace heddle {

Position Position::learned(const Builder& at, Index length, Index width, PastEnd past_end,
                           double deviation) {
  constexpr Index kUntrainedRows = 4096;  // how far `untrained` reaches
  Position position;
  const Index rows = past_end == PastEnd::untrained ? std::max(length, kUntrainedRows) : length;
  position.weight_ = at.table("position", rows, width, {.mean = 0, .deviation = deviation},
                              TapRole::position_table);
  position.trained_ = length;
  position.past_end_ = past_end;
  return position;
}

Ids Position::learned_rows(const Tokens& tokens) const {
  Ids ids(tokens.batch * tokens.length);
  std::int32_t* out = ids.data();
  for (Index b = 0; b < tokens.batch; ++b)
    for (Index t = 0; t < tokens.length; ++t) {
      const Index place = tokens.place(b, t);
      check<ShapeError>(
          past_end_ != PastEnd::reject || place < trained_,
          "position {} is past the {} that the model has (model.position_past_end=reject)", place,
          trained_);
      const Index row = past_end_ == PastEnd::clamp ? std::min(place, trained_ - 1) : place;
      *out++ = static_cast<std::int32_t>(row);
    }
  return ids;
}

}  // namespace heddle
