// See gradcheck.hpp.
#include "heddle/autograd/gradcheck.hpp"

#include <algorithm>
#include <cmath>

namespace heddle {
namespace {

/// A copy whose numbers may be changed without anybody noticing.
Tensor own_copy(const Tensor& x) {
  check<ShapeError>(x.dtype() == DType::f64, "gradcheck: {} is not in double precision", x.shape());
  Tensor copy = Tensor::uninitialised(x.shape(), DType::f64);
  std::copy_n(x.data<double>(), x.size(), copy.write<double>());
  return copy;
}

void append(std::vector<double>& all, const Tensor& part) {
  const auto numbers = part.flat<double>();
  all.insert(all.end(), numbers.begin(), numbers.end());
}

}  // namespace

Tensor numeric_gradient(const Tensor& x, const std::function<double()>& value, double step) {
  Tensor gradient = Tensor::uninitialised(x.shape(), DType::f64);
  auto* at = x.write_shared<double>();
  auto* out = gradient.write<double>();
  for (Index i = 0; i < x.size(); ++i) {
    const double before = at[i], high = before + step, low = before - step;
    at[i] = high;
    const double above = value();
    at[i] = low;
    const double below = value();
    at[i] = before;
    out[i] = (above - below) / (high - low);
  }
  return gradient;
}

double relative_error(std::span<const double> a, std::span<const double> b) {
  check<ShapeError>(a.size() == b.size(), "relative error: {} numbers against {}", a.size(),
                    b.size());
  double error = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (!(difference <= error)) error = difference;  // NaN stays and is seen
    largest = std::max(largest, std::abs(b[i]));
  }
  return error == 0 ? 0 : error / largest;
}

std::vector<Tensor> tape_gradients(std::span<const Tensor> leaves, const ScalarFunction& f) {
  Tape tape;
  std::vector<Var> vars;
  for (const Tensor& leaf : leaves) vars.push_back(tape.leaf(leaf));
  tape.backward(f(vars));
  std::vector<Tensor> gradients;
  for (const Var& var : vars) {
    const Tensor& found = tape.gradient(var);
    gradients.push_back(found.empty() ? Tensor::zeros(var.value.shape(), var.value.dtype())
                                      : found);
  }
  return gradients;
}

double gradcheck(std::span<const Tensor> leaves, const ScalarFunction& f, double step) {
  std::vector<Tensor> copies;
  copies.reserve(leaves.size());
  for (const Tensor& leaf : leaves) copies.push_back(own_copy(leaf));
  const std::vector<Tensor> gradients = tape_gradients(copies, f);
  std::vector<Var> constants;
  constants.reserve(copies.size());
  for (const Tensor& copy : copies) constants.push_back(Var{copy});
  const auto value = [&] { return *f(constants).value.data<double>(); };
  std::vector<double> analytic, numeric;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    append(analytic, gradients[i]);
    append(numeric, numeric_gradient(copies[i], value, step));
  }
  return relative_error(analytic, numeric);
}

}  // namespace heddle
