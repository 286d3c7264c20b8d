// See position.hpp: what all encodings of inputs share.
#include "heddle/nn/position/position.hpp"

namespace heddle {

Var Position::table(Run& run, DType dtype) const {
  if (weight_) return run.weight(*weight_);
  return Var{dtype == DType::f32 ? fixed_f32_ : fixed_};
}

Ids Position::rows(Index batch, Index length, Index offset) const {
  check<ShapeError>(
      past_end_ != PastEnd::reject || offset + length <= trained_,
      "position {} is past the {} that the model has (model.position_past_end=reject)",
      offset + length - 1, trained_);
  const Index last = past_end_ == PastEnd::clamp ? trained_ - 1 : offset + length - 1;
  Ids ids(batch * length);
  std::int32_t* out = ids.data();
  for (Index b = 0; b < batch; ++b)
    for (Index t = 0; t < length; ++t)
      *out++ = static_cast<std::int32_t>(std::min(offset + t, last));
  return ids;
}

}  // namespace heddle
