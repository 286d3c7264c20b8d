// Softmax as the formula says, in double.
#pragma once

#include "heddle/kernels/softmax.hpp"

namespace heddle::kernels::reference {

void softmax(Matrix<const double> x, Matrix<double> y);
void softmax_backward(Matrix<const double> y, Matrix<const double> dy, Matrix<double> dx);

}  // namespace heddle::kernels::reference
