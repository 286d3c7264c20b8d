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

/// z = softmax(scale · q kᵀ + mask) v, and lse [batch, heads, queries] = ln Σ exp(scores), all the
/// backward pass needs to find the pattern again. A query that sees no key gets z = 0, lse = −inf.
template <class T>
struct AttentionForward {
  AttentionShape shape;
  HeadRows<const T> q, k, v;
  HeadRows<T> z;
  T* lse = nullptr;  ///< may be null when no backward pass follows
};
void attention_forward(const AttentionForward<float>& args);
void attention_forward(const AttentionForward<double>& args);

/// dq, dk, dv from dz. They are overwritten, and may be column ranges of one wider matrix.
template <class T>
struct AttentionBackward {
  AttentionShape shape;
  HeadRows<const T> q, k, v, z, dz;
  const T* lse = nullptr;
  HeadRows<T> dq, dk, dv;
};
void attention_backward(const AttentionBackward<float>& args);
void attention_backward(const AttentionBackward<double>& args);

// ── the plain steps, for when somebody watches scores or the pattern ──
// scores and pattern are dense [batch, heads, queries, keys].

/// scores = scale · q kᵀ; what a query does not see gets −inf.
template <class T>
void attention_scores(const AttentionShape& shape, HeadRows<const T> q, HeadRows<const T> k,
                      T* scores);
/// dq and dk from dscores (entries of unseen keys are ignored).
template <class T>
void attention_scores_backward(const AttentionShape& shape, HeadRows<const T> q,
                               HeadRows<const T> k, const T* dscores, HeadRows<T> dq,
                               HeadRows<T> dk);
/// z = pattern · v.
template <class T>
void attention_mix(const AttentionShape& shape, const T* pattern, HeadRows<const T> v,
                   HeadRows<T> z);
/// dpattern = dz vᵀ and dv = patternᵀ dz.
template <class T>
void attention_mix_backward(const AttentionShape& shape, const T* pattern, HeadRows<const T> v,
                            HeadRows<const T> dz, T* dpattern, HeadRows<T> dv);

}  // namespace heddle::kernels
