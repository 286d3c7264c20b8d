// See position.hpp: what all encodings of inputs share.
#include "heddle/nn/position/position.hpp"

#include "heddle/nn/position/sinusoids.hpp"

namespace heddle {

PositionRows Position::rows(Run& run, const Tokens& tokens, DType dtype) const {
  if (!counts_.empty()) return {.table = run.weight(*weight_), .ids = counted_rows(tokens)};
  if (weight_) return {.table = run.weight(*weight_), .ids = learned_rows(tokens)};
  return normalised_ ? sinusoids_->at_shares(tokens, dtype) : sinusoids_->at_places(tokens, dtype);
}

}  // namespace heddle
