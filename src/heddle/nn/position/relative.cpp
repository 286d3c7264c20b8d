// See relative.hpp: what all encodings inside attention share.
#include "heddle/nn/position/relative.hpp"

#include "heddle/nn/position/encodings.hpp"

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

std::shared_ptr<const Relative> make_relative(RelativeKind kind, const RelativeSizes& sizes,
                                              const Builder& at) {
  switch (kind) {
    case RelativeKind::rope:
      return make_rope(sizes);
    case RelativeKind::alibi:
      return make_alibi(sizes, at);
    case RelativeKind::t5:
      return make_t5(sizes, at);
    case RelativeKind::shaw:
      return make_shaw(sizes, at);
    case RelativeKind::kerple:
      return make_kerple(sizes, at);
    case RelativeKind::fire:
      return make_fire(sizes, at);
    case RelativeKind::none:
      break;
  }
  if (sizes.direction == Direction::both) return nullptr;
  return std::make_shared<const Relative>(sizes);
}

}  // namespace heddle
