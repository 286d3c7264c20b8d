// Multi-head attention from scratch: encoder self, decoder self (causal), decoder cross.
#pragma once

#include "heddle/nn/builder.hpp"
#include "heddle/nn/lookup.hpp"
#include "heddle/nn/position/encodings.hpp"
#include "heddle/nn/run.hpp"
#include "heddle/ops/attention.hpp"

namespace heddle {

struct AttentionSizes {
  Index d_model = 0;
  Index heads = 0;  ///< none: what is left is the bias b_o
  Index d_head = 0;
  bool causal = false;
  Stream keys = Stream::none;  ///< of a cross-attention: whose tokens it looks at
  double deviation_out = 0;    ///< of w_o at the start
  RelativeKind relative = RelativeKind::none;
  RelativeSizes relative_sizes = {};  ///< heads and d_head are those above
  Normaliser normaliser = Normaliser::softmax;
};

/// Keys and values that later queries will need again: [batch, capacity, head, feature].
struct KeyValues {
  Tensor k, v;
};

/// What one call attends from and to.
struct AttentionInput {
  const Var& queries;                       ///< [batch, position, d_model]
  const Var& keys;                          ///< the same for self-attention, memory for cross
  const Lookup* lookup = nullptr;           ///< self: then those are its different rows alone
  const std::uint8_t* key_valid = nullptr;  ///< [batch, keys], 0 = padding
  const Var* residual = nullptr;            ///< added to the result
  KeyValues* cache = nullptr;               ///< cached decoding
};

class Attention {
 public:
  Attention(const Builder& at, const AttentionSizes& sizes);

  /// concat_h( softmax(q_h k_hᵀ/√d + mask) v_h ) w_o + b_o (+ residual). Without heads: b_o
  /// (+ residual), and of the weights and taps only b_o and out exist. The sizes may name an
  /// encoding that turns q and k or adds to the scores, and another normaliser than softmax.
  Var forward(Run& run, const AttentionInput& in) const;

  const AttentionSizes& sizes() const { return sizes_; }

 private:
  void add_heads(const Builder& at);
  Stream keys_of(const Builder& at) const;
  Var constant(Run& run, const AttentionInput& in) const;
  Var project(Run& run, const Var& x, const Lookup* lookup, WeightId w, const WeightId* bias) const;
  Var project_keys(Run& run, const AttentionInput& in, Index offset) const;
  void fill_cache(Run& run, const AttentionInput& in) const;
  /// Turned and scaled queries, keys and values, and what is added to scores by distance.
  struct Operands {
    Var q, k, v, by_distance;
    const Var* bias() const { return by_distance.value.empty() ? nullptr : &by_distance; }
    bool on_tape() const { return q.tape != nullptr || k.tape != nullptr || v.tape != nullptr; }
  };
  Var attend(Run& run, const Var& q, const Var& k, const Var& v, const AttentionMask& mask) const;
  Var attend_plain(Run& run, const Operands& x, const AttentionMask& mask) const;
  Var attend_in_chunks(Run& run, const Operands& x, const AttentionMask& mask) const;
  Var scores(Run& run, const Var& q, const Operands& x, const AttentionMask& mask) const;
  Var pattern(const Var& scores) const;
  Var write_back(Run& run, const Var& z, const Var* residual) const;

  AttentionSizes sizes_;
  std::shared_ptr<const Relative> relative_;
  // A key bias would change no softmax.
  WeightId w_q_ = -1, b_q_ = -1, w_k_ = -1, w_v_ = -1, b_v_ = -1, w_o_ = -1, b_o_ = -1;
  WeightId log_n_ = -1;
  TapId q_ = -1, k_ = -1, v_ = -1, scores_ = -1, pattern_ = -1, z_ = -1, result_ = -1, out_ = -1;
};

}  // namespace heddle
