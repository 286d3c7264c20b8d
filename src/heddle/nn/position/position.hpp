// Where tokens get their place: rows of a table added to their embeddings.
#pragma once

#include <optional>

#include "heddle/nn/builder.hpp"
#include "heddle/nn/run.hpp"
#include "heddle/ops/embedding.hpp"

namespace heddle {

/// What a learned table does past its last trained row.
enum class PastEnd : std::uint8_t { clamp, untrained, reject };

/// One encoding that acts on inputs. `none` has no table.
class Position {
 public:
  static Position none() { return {}; }
  /// Row i: sin(i·10000^(−2k/d)) at 2k, cos of the same at 2k + 1; `length` rows.
  static Position sinusoidal(Index length, Index width);
  /// `length` trained rows; past them as `past_end` says (`untrained`: rows that keep their start).
  static Position learned(const Builder& at, Index length, Index width, PastEnd past_end);

  bool acts() const { return weight_.has_value() || !fixed_.empty(); }
  Var table(Run& run, DType dtype) const;
  /// The rows of `batch` sequences of `length` tokens whose first stands at `offset`.
  Ids rows(Index batch, Index length, Index offset) const;

 private:
  std::optional<WeightId> weight_;
  Tensor fixed_;  // f64, converted on use
  Tensor fixed_f32_;
  Index trained_ = 0;
  PastEnd past_end_ = PastEnd::reject;
};

}  // namespace heddle
