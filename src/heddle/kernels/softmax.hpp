// Softmax over the rows of a matrix, and its backward pass.
#pragma once

#include "heddle/tensor/view.hpp"

namespace heddle::kernels {

/// y = softmax of each row of x; a row of −inf alone becomes zeros. y may be x.
void softmax(Matrix<const float> x, Matrix<float> y);
void softmax(Matrix<const double> x, Matrix<double> y);

/// dx = y ∘ (dy − Σ_row y∘dy). dx may be dy.
void softmax_backward(Matrix<const float> y, Matrix<const float> dy, Matrix<float> dx);
void softmax_backward(Matrix<const double> y, Matrix<const double> dy, Matrix<double> dx);

}  // namespace heddle::kernels
