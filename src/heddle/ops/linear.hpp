// y = activation(x W + b) + residual, in one product.
#pragma once

#include "heddle/autograd/tape.hpp"
#include "heddle/kernels/gemm.hpp"

namespace heddle {

/// A weight matrix [in, out], and its panels where somebody has laid them out already.
struct WeightMatrix {
  Var value;
  const float* panels = nullptr;             ///< of W, for x·W
  const float* panels_transposed = nullptr;  ///< of Wᵀ, for dy·Wᵀ
};

struct LinearOptions {
  const Var* bias = nullptr;  ///< [out]
  kernels::Activation activation = kernels::Activation::none;
  const Var* residual = nullptr;  ///< of the result's shape, added last
};

/// x [.., in] → [.., out].
Var linear(const Var& x, const WeightMatrix& w, const LinearOptions& options = {});

}  // namespace heddle
