// Matrix products in the three forms that a linear layer needs, with what follows them fused in.
// float runs on the vector kernels of cpu/ (chosen at run time), double on reference/.
#pragma once

#include "heddle/kernels/activation.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle::kernels {

/// What happens to a product c before it is stored:
///   c += bias;  pre = c;  c = activation(c);  c *= activation'(slope_of);  c += residual.
/// Whatever is null is left out.
template <class T>
struct Epilogue {
  const T* bias = nullptr;      ///< one per column
  T* pre_activation = nullptr;  ///< dense rows × columns, kept for a GELU's backward pass
  Activation activation = Activation::none;
  const T* slope_of = nullptr;          ///< dense; multiplies by the derivative of `slope` there
  Activation slope = Activation::none;  ///< relu: slope_of holds its output; gelu: its input
  Matrix<const T> residual{};           ///< may be the output itself (to accumulate)
};

/// One matrix operand W [k, n], laid out in panels for the micro-kernel. Its layout depends on the
/// instruction set in use, so panels are never written to disk.
template <class T>
struct Panels {
  const T* data = nullptr;
  Index k = 0, n = 0;
};

/// How many numbers the panels of a [k, n] operand take.
Index panel_size(Index k, Index n);
/// Lays out W [k, n] so that x·W can be computed.
void pack(Matrix<const float> w, float* panels);
void pack(Matrix<const double> w, double* panels);
/// Lays out Wᵀ [n, k], given W [k, n], so that dy·Wᵀ can be computed.
void pack_transposed(Matrix<const float> w, float* panels);
void pack_transposed(Matrix<const double> w, double* panels);

/// y [m, n] = epilogue(x [m, k] · W [k, n]).
void matmul(Matrix<const float> x, Panels<float> w, const Epilogue<float>& epilogue,
            Matrix<float> y);
void matmul(Matrix<const double> x, Panels<double> w, const Epilogue<double>& epilogue,
            Matrix<double> y);

/// dw [k, n] (+)= xᵀ dy, given x [m, k] and dy [m, n]; and, unless null, dbias [n] (+)= Σ_rows dy.
template <class T>
struct WeightGradient {
  Matrix<const T> x, dy;
  Matrix<T> dw;
  T* dbias = nullptr;
  bool accumulate = false;  ///< add to what dw and dbias hold, or overwrite it
};
void weight_gradient(const WeightGradient<float>& args);
void weight_gradient(const WeightGradient<double>& args);

}  // namespace heddle::kernels
