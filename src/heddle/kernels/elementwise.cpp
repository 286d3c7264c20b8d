// Runs of numbers: float to the vector kernels, double to the reference.
#include "heddle/kernels/elementwise.hpp"

#include "heddle/kernels/reference/elementwise.hpp"
#include "heddle/kernels/table.hpp"

namespace heddle::kernels {

void add(std::span<const float> a, std::span<const float> b, std::span<float> y) {
  active_table().add(std::ssize(y), a.data(), b.data(), y.data());
}
void add(std::span<const double> a, std::span<const double> b, std::span<double> y) {
  reference::add(a, b, y);
}

void activate(Activation activation, std::span<const float> x, std::span<float> y) {
  active_table().activate(activation, std::ssize(x), x.data(), y.data());
}
void activate(Activation activation, std::span<const double> x, std::span<double> y) {
  reference::activate(activation, x, y);
}

void activate_backward(const ActivateBackward<float>& args) {
  active_table().activate_backward({.activation = args.activation,
                                    .count = std::ssize(args.dy),
                                    .at = args.at.data(),
                                    .dy = args.dy.data(),
                                    .dx = args.dx.data()});
}
void activate_backward(const ActivateBackward<double>& args) {
  reference::activate_backward(args);
}

double sum_of_squares(std::span<const float> x) {
  return active_table().sum_of_squares(std::ssize(x), x.data());
}
double sum_of_squares(std::span<const double> x) {
  return reference::sum_of_squares(x);
}

}  // namespace heddle::kernels
