// The tokens that a classifier reads beside the words of an input.
#pragma once

#include <cstdint>

#include "heddle/config/config.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle {

/// Where the token stands that a classifier may read its answer from.
enum class ClsPlace : std::uint8_t { none, front, back };
constexpr Names<3> names_of(ClsPlace) {
  return {"none", "front", "back"};
}

/// [BOS] [CLS] x₀ … x₍L₋₁₎ [CLS] PAD …: BOS where wanted; CLS before or right after the words.
struct RowLayout {
  bool bos = false;
  ClsPlace cls = ClsPlace::none;

  /// Tokens before the first word.
  Index front() const { return (bos ? 1 : 0) + (cls == ClsPlace::front ? 1 : 0); }
  /// Tokens of a row of `words` words, without padding.
  Index length(Index words) const { return front() + words + (cls == ClsPlace::back ? 1 : 0); }
};

/// What a classifier of these settings wants: causal attention has a BOS to rest on; the summary of
/// pooling cls stands where it sees everything.
inline RowLayout row_layout(const ModelConfig& config) {
  const bool causal = config.position == PositionKind::causal;
  RowLayout layout;
  layout.bos = causal;
  if (config.pooling == PoolingSetting::cls) layout.cls = causal ? ClsPlace::back : ClsPlace::front;
  return layout;
}

}  // namespace heddle
