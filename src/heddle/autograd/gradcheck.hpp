// Gradient checks: what the tape says against central differences, both in double precision.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "heddle/autograd/tape.hpp"

namespace heddle {

/// A function of some leaves that gives a single number. It is called many times, with the leaves
/// on a tape and off it.
using ScalarFunction = std::function<Var(std::span<const Var> leaves)>;

/// (f(x + h) − f(x − h)) / 2h for every entry of `x`, which is changed and put back. The error is
/// h² f‴/6 of cutting off and ε·|f|/h of rounding: with h = 1e-5 about 1e-10 for numbers near 1.
inline constexpr double kDifferenceStep = 1e-5;
Tensor numeric_gradient(const Tensor& x, const std::function<double()>& value,
                        double step = kDifferenceStep);

/// Largest |a − b| over the largest |b|; 0 where both are all zero.
double relative_error(std::span<const double> a, std::span<const double> b);

/// What the tape gives for each leaf (f64); zeros where nothing depends on it.
std::vector<Tensor> tape_gradients(std::span<const Tensor> leaves, const ScalarFunction& f);

/// The largest error over the largest gradient, over all leaves (f64) taken together.
double gradcheck(std::span<const Tensor> leaves, const ScalarFunction& f,
                 double step = kDifferenceStep);

}  // namespace heddle
