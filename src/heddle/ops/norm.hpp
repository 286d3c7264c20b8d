// Layer normalisation of the last axis.
#pragma once

#include "heddle/autograd/tape.hpp"

namespace heddle {

inline constexpr double kNormEpsilon = 1e-5;

/// y = gain ∘ (x − mean) / √(variance + ε) + bias, over the last axis.
Var layer_norm(const Var& x, const Var& gain, const Var& bias);

}  // namespace heddle
