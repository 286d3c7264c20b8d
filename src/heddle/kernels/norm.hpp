// Layer normalisation of rows: y = gain ∘ (x − mean) / √(variance + ε) + bias.
#pragma once

#include "heddle/tensor/view.hpp"

namespace heddle::kernels {

template <class T>
struct LayerNorm {
  Matrix<const T> x;
  const T* gain = nullptr;  ///< [columns]
  const T* bias = nullptr;  ///< [columns]
  double epsilon = 1e-5;
  Matrix<T> y;
  T* mean = nullptr;  ///< [rows], kept for backward
  T* rstd = nullptr;  ///< [rows], 1 / √(variance + ε), kept for backward
};
void layer_norm(const LayerNorm<float>& args);
void layer_norm(const LayerNorm<double>& args);

template <class T>
struct LayerNormBackward {
  Matrix<const T> x, dy;
  const T* gain = nullptr;
  const T* mean = nullptr;
  const T* rstd = nullptr;
  Matrix<const T> add{};    ///< added to dx where not null (the residual stream's own gradient)
  Matrix<T> dx;             ///< may be `add` or `dy` itself
  T* dgain = nullptr;       ///< [columns]
  T* dbias = nullptr;       ///< [columns]
  bool accumulate = false;  ///< add to what dgain and dbias hold, or overwrite it
};
void layer_norm_backward(const LayerNormBackward<float>& args);
void layer_norm_backward(const LayerNormBackward<double>& args);

}  // namespace heddle::kernels
