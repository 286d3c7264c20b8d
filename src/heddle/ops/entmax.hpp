// 1.5-entmax: rows of scores to rows of weights, of which the small ones are exactly zero.
#pragma once

#include "heddle/autograd/tape.hpp"

namespace heddle {

/// p_j = max(z_j/2 − τ, 0)² for each row z, with the τ that makes Σ p = 1. Scores more than 2 below
/// the largest get no weight, however many they are. −inf gets none; a row of −inf alone becomes
/// zeros.
Var entmax15(const Var& scores);

}  // namespace heddle
