// See run.hpp.
#include "heddle/nn/run.hpp"

#include "heddle/base/index.hpp"

namespace heddle {

const Var& Run::weight(WeightId id) {
  Var& bound = bound_[to_size(id)];
  if (!bound.value.empty()) return bound;
  const WeightSpec& spec = weights_->layout()[id];
  Tensor value = weights_->value(id);
  Var fresh = tape_ == nullptr
                  ? Var{std::move(value)}
                  : tape_->weight(std::move(value), gradient_.window(spec.offset, spec.shape));
  bound = tap(spec.tap, std::move(fresh));
  return bound;
}

WeightMatrix Run::matrix(WeightId id) {
  if (watched({weights_->layout()[id].tap})) return {weight(id)};
  return {weight(id), weights_->panels(id), weights_->panels_transposed(id)};
}

}  // namespace heddle
