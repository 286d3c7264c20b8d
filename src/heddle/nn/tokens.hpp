// What a model reads: token ids, where they stand and which of them are padding.
#pragma once

#include <cstdint>

#include "heddle/tensor/view.hpp"

namespace heddle {

/// Token ids of `batch` sequences of `length`, the first token standing at `offset`.
struct Tokens {
  const std::int32_t* ids = nullptr;  ///< [batch, length]; must outlive the backward pass
  Index batch = 0, length = 0;
  Index offset = 0;
  const std::uint8_t* valid = nullptr;   ///< [batch, length], 0 = padding; null: no padding
  const std::int32_t* places = nullptr;  ///< [batch, length]: where each stands, instead of offset
  const std::int32_t* starts = nullptr;  ///< [batch]: where counting digits begins; null: at 0

  /// Where token t of sequence b stands.
  Index place(Index b, Index t) const {
    return places != nullptr ? places[b * length + t] : offset + t;
  }
};

}  // namespace heddle
