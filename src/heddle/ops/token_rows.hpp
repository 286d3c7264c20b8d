// The tokens of a batch that are no padding, for operations that pool over them.
#pragma once

#include <cstdint>

#include "heddle/tensor/tensor.hpp"

namespace heddle {

/// `batch` sequences of `length` places each; `valid` (null: all) says which hold a token.
struct TokenRows {
  Index batch = 0, length = 0;
  const std::uint8_t* valid = nullptr;

  /// The first token at `from` or behind it; `length` if there is none.
  Index next(Index sequence, Index from) const {
    if (valid != nullptr)
      while (from < length && valid[sequence * length + from] == 0) ++from;
    return from;
  }
  /// Calls use(t) for every token, in order.
  template <class Use>
  void each(Index sequence, Use&& use) const {
    for (Index t = next(sequence, 0); t < length; t = next(sequence, t + 1)) use(t);
  }
  Index first(Index sequence) const { return next(sequence, 0); }
  Index last(Index sequence) const {
    Index t = length - 1;
    while (t >= 0 && valid != nullptr && valid[sequence * length + t] == 0) --t;
    return t;
  }
  Index count(Index sequence) const {
    Index tokens = 0;
    each(sequence, [&](Index /*t*/) { ++tokens; });
    return tokens;
  }
};

/// The tokens of x [batch, position, ..]. A sequence without any has no summary: ShapeError.
inline TokenRows token_rows(const char* who, const Tensor& x, int rank, const std::uint8_t* valid) {
  check<ShapeError>(x.rank() == rank, "{}: expected {} axes, batch and position first, got {}", who,
                    rank, x.shape());
  const TokenRows rows{.batch = x.dim(0), .length = x.dim(1), .valid = valid};
  for (Index b = 0; b < rows.batch; ++b)
    check<ShapeError>(rows.first(b) < rows.length, "{}: sequence {} of {} is all padding", who, b,
                      rows.batch);
  return rows;
}

}  // namespace heddle
