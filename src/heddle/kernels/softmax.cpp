// Softmax: float to the vector kernels, double to the reference.
#include "heddle/kernels/softmax.hpp"

#include "heddle/kernels/reference/softmax.hpp"
#include "heddle/kernels/scratch.hpp"

namespace heddle::kernels {

void softmax(Matrix<const float> x, Matrix<float> y) {
  active_table().softmax({.rows = x.shape[0], .columns = x.shape[1], .x = raw(x), .y = raw(y)});
}
void softmax(Matrix<const double> x, Matrix<double> y) {
  reference::softmax(x, y);
}

void softmax_backward(Matrix<const float> y, Matrix<const float> dy, Matrix<float> dx) {
  active_table().softmax_backward(
      {.rows = y.shape[0], .columns = y.shape[1], .y = raw(y), .dy = raw(dy), .dx = raw(dx)});
}
void softmax_backward(Matrix<const double> y, Matrix<const double> dy, Matrix<double> dx) {
  reference::softmax_backward(y, dy, dx);
}

}  // namespace heddle::kernels
