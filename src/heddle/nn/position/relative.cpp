// See relative.hpp: what all encodings inside attention share.
#include "heddle/nn/position/relative.hpp"

namespace heddle {
namespace {

VisibleSide seen_by(Direction direction, Index number) {
  if (direction == Direction::both) return VisibleSide::all;
  return direction == Direction::causal || number % 2 == 0 ? VisibleSide::before
                                                           : VisibleSide::after;
}

}  // namespace

Relative::Relative(const RelativeSizes& sizes) : heads_(sizes.heads) {
  check<ShapeError>(sizes.numbers.empty() || std::ssize(sizes.numbers) == heads_,
                    "relative positions: {} numbers for {} heads", sizes.numbers.size(), heads_);
  if (sizes.direction == Direction::both) return;
  for (Index h = 0; h < heads_; ++h) sees_.push_back(seen_by(sizes.direction, sizes.number(h)));
}

Var Relative::table(Run& run, Index span, DType dtype) const {
  const Var table = distances(run, span, dtype);
  return sees_.empty() ? table : masked_table(table, sees_);
}

Var Relative::distances(Run& /*run*/, Index span, DType dtype) const {
  return Var{Tensor::zeros({heads_, 2 * span - 1}, dtype)};
}

Var Relative::dense(Run& /*run*/, const Var& /*q*/, const QueryRange& /*range*/) const {
  throw Error("relative positions: this encoding depends on the distance alone");
}

}  // namespace heddle
