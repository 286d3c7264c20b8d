// Multi-head attention from scratch: encoder self, decoder self (causal), decoder cross.
#pragma once

#include "heddle/nn/builder.hpp"
#include "heddle/nn/run.hpp"
#include "heddle/ops/attention.hpp"

namespace heddle {

struct AttentionSizes {
  Index d_model = 0, heads = 0, d_head = 0;
  bool causal = false;
  double deviation_out = 0;  ///< of w_o at the start
};

/// Keys and values that later queries will need again: [batch, capacity, head, feature].
struct KeyValues {
  Tensor k, v;
};

/// What one call attends from and to.
struct AttentionInput {
  const Var& queries;                       ///< [batch, position, d_model]
  const Var& keys;                          ///< the same for self-attention, memory for cross
  const std::uint8_t* key_valid = nullptr;  ///< [batch, keys], 0 = padding
  const Var* residual = nullptr;            ///< added to the result
  KeyValues* cache = nullptr;               ///< cached decoding
};

class Attention {
 public:
  Attention(const Builder& at, const AttentionSizes& sizes);

  /// concat_h( softmax(q_h k_hᵀ/√d + mask) v_h ) w_o + b_o (+ residual).
  Var forward(Run& run, const AttentionInput& in) const;

  const AttentionSizes& sizes() const { return sizes_; }

 private:
  Var project(Run& run, const Var& x, WeightId w, const WeightId* bias) const;
  void fill_cache(Run& run, const AttentionInput& in) const;
  Var attend(Run& run, const Var& q, const Var& k, const Var& v, const AttentionMask& mask) const;
  Var write_back(Run& run, const Var& z, const Var* residual) const;

  AttentionSizes sizes_;
  WeightId w_q_, b_q_, w_k_, w_v_, b_v_, w_o_, b_o_;  // a key bias would change no softmax
  TapId q_, k_, v_, scores_, pattern_, z_, result_, out_;
};

}  // namespace heddle
