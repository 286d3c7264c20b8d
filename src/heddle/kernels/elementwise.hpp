// Operations on runs of numbers: sums, scaling, activations.
#pragma once

#include <span>

#include "heddle/kernels/gemm.hpp"

namespace heddle::kernels {

/// y = a + b. y may be a or b.
void add(std::span<const float> a, std::span<const float> b, std::span<float> y);
void add(std::span<const double> a, std::span<const double> b, std::span<double> y);

/// y = activation(x). gelu is the tanh form: ½x(1 + tanh(√(2/π)(x + 0.044715x³))). y may be x.
void activate(Activation activation, std::span<const float> x, std::span<float> y);
void activate(Activation activation, std::span<const double> x, std::span<double> y);

/// dx = dy ∘ activation'(at), where `at` is the output for relu and the input for gelu. dx may be
/// dy.
template <class T>
struct ActivateBackward {
  Activation activation = Activation::none;
  std::span<const T> at, dy;
  std::span<T> dx;
};
void activate_backward(const ActivateBackward<float>& args);
void activate_backward(const ActivateBackward<double>& args);

/// Σ x², summed in double over fixed blocks: the same bits for any number of threads.
double sum_of_squares(std::span<const float> x);
double sum_of_squares(std::span<const double> x);

}  // namespace heddle::kernels
