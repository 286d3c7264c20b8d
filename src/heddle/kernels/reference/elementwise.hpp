// Sums and activations as the formula says, in double.
#pragma once

#include "heddle/kernels/elementwise.hpp"

namespace heddle::kernels::reference {

/// activation(x) of one number.
double activated(Activation activation, double x);
/// activation'(at); `at` is the output for relu, the input for gelu.
double slope(Activation activation, double at);

void add(std::span<const double> a, std::span<const double> b, std::span<double> y);
void activate(Activation activation, std::span<const double> x, std::span<double> y);
void activate_backward(const ActivateBackward<double>& args);
double sum_of_squares(std::span<const double> x);

}  // namespace heddle::kernels::reference
