// Attention with one learned query per head and a sink: a pooling that can find one token among
// many, and can find none. `valid` is that of pooling.hpp.
#pragma once

#include <cstdint>

#include "heddle/autograd/tape.hpp"

namespace heddle {

/// How scores of tokens become weights, by head.
struct PoolWeights {
  const Var& scores;                    ///< [batch, position, head]
  const Var& sink;                      ///< [head]: the score of looking at nothing
  const Var& sharpness;                 ///< s [head]
  const std::uint8_t* valid = nullptr;  ///< [batch, position]
};
/// softmax over (sink, score_1 … score_n) · s·ln n, less the sink's own weight → [batch, head,
/// position]. n is the number of tokens, at least 2. The sink is sharpened like any score: what
/// beats it by a margin m at one length does so at all, by n^(s·m).
Var pool_weights(const PoolWeights& args);

/// Σ_t weight_t v_t: weights [batch, head, position], v [batch, position, head, d] → [batch,
/// head·d].
Var pool_mix(const Var& weights, const Var& v);

}  // namespace heddle
