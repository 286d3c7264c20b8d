// Blocks: attention and feed-forward sublayers on a residual stream, norms before or after.
#pragma once

#include <optional>

#include "heddle/nn/attention.hpp"
#include "heddle/nn/mlp.hpp"
#include "heddle/nn/norm.hpp"

namespace heddle {

struct BlockSizes {
  AttentionSizes attention;
  MlpSizes mlp;
  bool pre_norm = true;
  bool cross = false;     ///< has a cross-attention to an encoder's memory
  Index cross_heads = 0;  ///< of that one
};

/// What one decoder layer keeps between the positions of a cached decoding.
struct LayerCache {
  KeyValues self, cross;
};

struct BlockInput {
  const Var& x;                                ///< [batch, position, d_model]
  const std::uint8_t* valid = nullptr;         ///< [batch, position]: padding of x
  const Var* memory = nullptr;                 ///< what a cross-attention reads
  const std::uint8_t* memory_valid = nullptr;  ///< [batch, memory positions]
  LayerCache* cache = nullptr;
  const Lookup* lookup = nullptr;  ///< perhaps of x
};

class Block {
 public:
  Block(const Builder& at, const BlockSizes& sizes);

  /// pre:  x += self(norm(x));  x += cross(norm(x));  x += mlp(norm(x))
  /// post: x = norm(x + self(x));  x = norm(x + cross(x));  x = norm(x + mlp(x))
  /// An attention without heads reads nothing: before it there is no norm.
  Var forward(Run& run, const BlockInput& in) const;

  const Attention& self() const { return self_; }

 private:
  const Lookup* lookup_of(const Run& run, const BlockInput& in) const;
  Var self_step(Run& run, const Var& x, const BlockInput& in) const;
  Var cross_step(Run& run, const Var& x, const BlockInput& in) const;
  Var mlp_step(Run& run, const Var& x) const;

  bool pre_norm_;
  TapId before_;
  std::optional<Norm> norm_self_;
  Attention self_;
  TapId mid_;
  std::optional<Norm> norm_cross_;
  std::optional<Attention> cross_;
  std::optional<TapId> after_cross_;
  Norm norm_mlp_;
  Mlp mlp_;
  TapId after_;
};

}  // namespace heddle
