// Attention as differentiable operations: fused, and step by step for when somebody watches.
// Rows of q, k, v and z hold all heads side by side: [batch, position, head, feature].
#pragma once

#include "heddle/autograd/tape.hpp"
#include "heddle/kernels/attention.hpp"

namespace heddle {

/// Who sees whom. `key_valid` [batch, keys] (0 = padding) must outlive the backward pass.
struct AttentionMask {
  bool causal = false;
  Index offset = 0;  ///< position of the first query, where earlier ones are in a cache
  const std::uint8_t* key_valid = nullptr;
};

/// softmax(q kᵀ / √d + bias + mask) v, the pattern never stored. `by_distance` [heads, 2·span − 1]
/// is a bias as in distance.hpp, if there is one: entry [h, Δ + span − 1] for a query at i (offset
/// included) and a key at j, Δ = i − j; −inf where the two do not see each other.
Var attention(const Var& q, const Var& k, const Var& v, const AttentionMask& mask,
              const Var* by_distance = nullptr);

/// The same numbers, step by step. scores [batch, head, query, key]; unseen keys hold −inf.
Var attention_scores(const Var& q, const Var& k, const AttentionMask& mask,
                     const Var* by_distance = nullptr);
/// Rows of scores to rows of weights.
Var attention_pattern(const Var& scores);
/// z = pattern · v.
Var attention_mix(const Var& pattern, const Var& v);

/// What each head adds to the residual stream: z [b, t, h, d], w_o [h·d, m] → [b, t, h, m].
Var head_results(const Var& z, const Var& w_o);
/// Σ over heads of the results, plus bias: [b, t, h, m] → [b, t, m].
Var sum_heads(const Var& results, const Var& bias);

}  // namespace heddle
