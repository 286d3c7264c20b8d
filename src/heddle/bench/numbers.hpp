// Operands to measure kernels on.
#pragma once

#include "heddle/kernels/gemm.hpp"
#include "heddle/tensor/tensor.hpp"

namespace heddle {

/// Numbers in [−1, 1) that look random and are always the same.
Tensor bench_numbers(Index rows, Index columns);

/// A linear layer y = x·W with everything its three products read and write.
struct BenchLayer {
  BenchLayer(Index rows, Index in, Index out);

  void forward(const kernels::Epilogue<float>& epilogue);
  void input_gradient(const kernels::Epilogue<float>& epilogue);
  void weight_gradient();
  /// The product alone, without the gradient of a bias.
  void bare_weight_gradient();
  /// Lays the weights out anew, as a training does once an update; transposed for dy·Wᵀ.
  void pack();
  void pack_transposed();

  Index m, k, n;
  Tensor x, w, y, dy, dx, dw, bias, panels, panels_transposed;
};

}  // namespace heddle
