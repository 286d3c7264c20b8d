// Scaled dot-product attention of all heads, the pattern never written; and its plain steps.
#pragma once

#include <cstdint>

#include "heddle/tensor/view.hpp"

namespace heddle::kernels {

/// Rows of all heads side by side: number (b, t, h, e) stands at data[(b·length + t)·stride + h·d +
/// e]. So q, k and v may be column ranges of one wider matrix.
template <class T>
struct HeadRows {
  T* data = nullptr;
  Index stride = 0;

  operator HeadRows<const T>() const  // NOLINT(google-explicit-constructor)
    requires(!std::is_const_v<T>)
  {
    return {data, stride};
  }
};

/// Sizes and mask. Query i stands at position i + offset and, if causal, sees keys 0 … i + offset.
struct AttentionShape {
  Index batch = 0, heads = 0, queries = 0, keys = 0, d = 0;
  bool causal = false;
  Index offset = 0;
  const std::uint8_t* key_valid = nullptr;  ///< [batch, keys], 0 = padding; null: all are valid
  double scale = 1.0;                       ///< usually 1/√d

  bool sees(Index b, Index query, Index key) const {
    return !(causal && key > query + offset) && !(key_valid && key_valid[b * keys + key] == 0);
  }
};

/// A bias by distance: table [heads, 2·span − 1], of which entry [h, Δ + span − 1] belongs to a
/// query at i (offset included) and a key at j with Δ = i − j; −inf means that they do not see each
/// other. The span covers every distance there is. A null table is none.
template <class T>
struct DistanceBias {
  T* table = nullptr;
  Index span = 0;

  T& at(Index head, Index distance) const {
    return table[head * (2 * span - 1) + distance + span - 1];
  }
};

/// z = softmax(scale · q kᵀ + bias + mask) v, and lse [batch, heads, queries] = ln Σ exp(scores),
/// all the backward pass needs to find the pattern again. A query that sees no key gets z = 0, lse
/// = −inf.
template <class T>
struct AttentionForward {
  AttentionShape shape;
  HeadRows<const T> q, k, v;
  HeadRows<T> z;
  T* lse = nullptr;  ///< may be null when no backward pass follows
  DistanceBias<const T> bias = {};
};
void attention_forward(const AttentionForward<float>& args);
void attention_forward(const AttentionForward<double>& args);

/// dq, dk, dv from dz. They are overwritten, and may be column ranges of one wider matrix. So is
/// dbias, a table like that of the bias.
template <class T>
struct AttentionBackward {
  AttentionShape shape;
  HeadRows<const T> q, k, v, z, dz;
  const T* lse = nullptr;
  HeadRows<T> dq, dk, dv;
  DistanceBias<const T> bias = {};
  T* dbias = nullptr;  ///< not null where there is a bias
};
void attention_backward(const AttentionBackward<float>& args);
void attention_backward(const AttentionBackward<double>& args);

// ── the plain steps, for when somebody watches scores or the pattern ──
// scores and pattern are dense [batch, heads, queries, keys].

/// scores = scale · q kᵀ + bias; what a query does not see gets −inf.
template <class T>
void attention_scores(const AttentionShape& shape, HeadRows<const T> q, HeadRows<const T> k,
                      T* scores, DistanceBias<const T> bias = {});
/// dq and dk from dscores (entries of unseen keys are ignored).
template <class T>
void attention_scores_backward(const AttentionShape& shape, HeadRows<const T> q,
                               HeadRows<const T> k, const T* dscores, HeadRows<T> dq,
                               HeadRows<T> dk);
/// dbias = the sums of dscores over equal distances (entries of unseen keys are ignored).
template <class T>
void attention_bias_backward(const AttentionShape& shape, const T* dscores, DistanceBias<T> dbias);
/// z = pattern · v.
template <class T>
void attention_mix(const AttentionShape& shape, const T* pattern, HeadRows<const T> v,
                   HeadRows<T> z);
/// dpattern = dz vᵀ and dv = patternᵀ dz.
template <class T>
void attention_mix_backward(const AttentionShape& shape, const T* pattern, HeadRows<const T> v,
                            HeadRows<const T> dz, T* dpattern, HeadRows<T> dv);

}  // namespace heddle::kernels
