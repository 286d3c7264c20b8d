// Softmax: float to the vector kernels, double to the reference.
#include "heddle/kernels/softmax.hpp"

#include "heddle/kernels/reference/softmax.hpp"
#include "heddle/kernels/scratch.hpp"

namespace heddle::kernels {

void softmax(Matrix<const float> x, Matrix<float> y) {
  active_table().softmax({x.shape[0], x.shape[1], raw(x), raw(y)});
}
void softmax(Matrix<const double> x, Matrix<double> y) {
  reference::softmax(x, y);
}

void softmax_backward(Matrix<const float> y, Matrix<const float> dy, Matrix<float> dx) {
  active_table().softmax_backward({y.shape[0], y.shape[1], raw(y), raw(dy), raw(dx)});
}
void softmax_backward(Matrix<const double> y, Matrix<const double> dy, Matrix<double> dx) {
  reference::softmax_backward(y, dy, dx);
}

}  // namespace heddle::kernels
