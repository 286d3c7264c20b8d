// What abacus and coupled positions share: a learned table, its rows chosen by counts of digits.
#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/nn/position/position.hpp"

namespace heddle {

Position Position::counted(const Builder& at, const std::vector<Index>& counts, Index starts,
                           Index width) {
  check<UsageError>(!counts.empty() && starts > 0, "positions of digits need places and a start");
  Position position;
  position.counts_ = counts;
  position.trained_ = 1 + std::ranges::max(counts) + starts;  // row 0 is of what is no digit
  position.weight_ = at.table("position", position.trained_, width, {.mean = 0, .deviation = 1},
                              TapRole::position_table);
  return position;
}

Ids Position::counted_rows(const Tokens& tokens) const {
  Ids ids(tokens.batch * tokens.length);
  std::int32_t* out = ids.data();
  for (Index b = 0; b < tokens.batch; ++b) {
    const Index start = tokens.starts != nullptr ? tokens.starts[b] : 0;
    for (Index t = 0; t < tokens.length; ++t) {
      const Index place = tokens.place(b, t);
      check<ShapeError>(place >= 0 && place < std::ssize(counts_),
                        "position {} is past the {} places of a problem", place, counts_.size());
      const Index count = counts_[to_size(place)];
      const Index row = count < 0 ? 0 : 1 + count + start;
      check<ShapeError>(row < trained_, "start {} is past the {} that the table has", start,
                        trained_ - 1 - std::ranges::max(counts_));
      *out++ = static_cast<std::int32_t>(row);
    }
  }
  return ids;
}

}  // namespace heddle
