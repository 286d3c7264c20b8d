// The naive twin that judges the vector kernels of cpu/.
#include "heddle/kernels/reference/elementwise.hpp"

#include <cmath>
#include <numbers>

namespace heddle::kernels::reference {
namespace {

/// u = √(2/π)(x + 0.044715x³), of which a GELU takes the tanh.
double gelu_argument(double x) {
  return std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
}
double gelu_argument_slope(double x) {
  return std::sqrt(2 / std::numbers::pi) * (1 + 3 * 0.044715 * x * x);
}

}  // namespace

double activated(Activation activation, double x) {
  if (activation == Activation::relu) return x < 0 ? 0 : x;
  if (activation == Activation::gelu) return 0.5 * x * (1 + std::tanh(gelu_argument(x)));
  return x;
}

double slope(Activation activation, double at) {
  if (activation == Activation::relu) return at > 0 ? 1 : 0;
  if (activation == Activation::none) return 1;
  const double t = std::tanh(gelu_argument(at));
  return 0.5 * (1 + t) + 0.5 * at * (1 - t * t) * gelu_argument_slope(at);
}

void add(std::span<const double> a, std::span<const double> b, std::span<double> y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = a[i] + b[i];
}

void activate(Activation activation, std::span<const double> x, std::span<double> y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = activated(activation, x[i]);
}

void activate_backward(const ActivateBackward<double>& args) {
  for (std::size_t i = 0; i < args.dx.size(); ++i)
    args.dx[i] = args.dy[i] * slope(args.activation, args.at[i]);
}

double sum_of_squares(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

}  // namespace heddle::kernels::reference
