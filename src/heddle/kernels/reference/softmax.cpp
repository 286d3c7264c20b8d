// The naive twin that judges the vector kernels of cpu/.
#include "heddle/kernels/reference/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle::kernels::reference {

/// y_j = exp(x_j − max x) / Σ exp(x − max x).
void softmax(Matrix<const double> x, Matrix<double> y) {
  for (Index i = 0; i < x.shape[0]; ++i) {
    double top = -std::numeric_limits<double>::infinity();
    for (const double value : x.row(i)) top = std::max(top, value);
    const bool empty = top == -std::numeric_limits<double>::infinity();
    double sum = 0;
    for (Index j = 0; j < x.shape[1]; ++j) {
      y(i, j) = empty ? 0 : std::exp(x(i, j) - top);
      sum += y(i, j);
    }
    for (Index j = 0; j < x.shape[1] && !empty; ++j) y(i, j) /= sum;
  }
}

/// dx_j = y_j (dy_j − Σ y dy).
void softmax_backward(Matrix<const double> y, Matrix<const double> dy, Matrix<double> dx) {
  for (Index i = 0; i < y.shape[0]; ++i) {
    double sum = 0;
    for (Index j = 0; j < y.shape[1]; ++j) sum += y(i, j) * dy(i, j);
    for (Index j = 0; j < y.shape[1]; ++j) dx(i, j) = y(i, j) * (dy(i, j) - sum);
  }
}

}  // namespace heddle::kernels::reference
