// See entmax.hpp.
#include "heddle/ops/entmax.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

/// τ for x = z/2 − max(z)/2. With the k largest of them as support, Σ (x − τ)² = 1 has the solution
/// τ = mean − √((1 − k·variance)/k); the right k is the last one whose x is above its τ. Since the
/// largest weighs at most 1, τ ≥ −1: whoever is below is not even looked at.
double threshold(std::vector<double>& above) {
  std::ranges::sort(above, std::greater<>{});
  double tau = -1, sum = 0, squares = 0;
  for (std::size_t i = 0; i < above.size(); ++i) {
    const double x = above[i], k = static_cast<double>(i + 1);
    sum += x;
    squares += x * x;
    const double mean = sum / k, spread = squares - sum * mean;
    const double next = mean - std::sqrt(std::max(0.0, (1 - spread) / k));
    if (next > x) break;
    tau = next;
  }
  return tau;
}

template <class T>
void entmax_row(const T* z, Index count, std::vector<double>& above, T* p) {
  const T top = *std::max_element(z, z + count);
  if (top == -std::numeric_limits<T>::infinity()) {
    std::fill_n(p, count, T{0});
    return;
  }
  const auto x = [&](Index j) {
    return (static_cast<double>(z[j]) - static_cast<double>(top)) / 2;
  };
  above.clear();
  for (Index j = 0; j < count; ++j)
    if (x(j) > -1) above.push_back(x(j));
  const double tau = threshold(above);
  for (Index j = 0; j < count; ++j) {
    const double over = x(j) - tau;
    p[j] = static_cast<T>(over <= 0 ? 0 : over * over);  // NaN stays NaN
  }
}

/// dz = s ∘ (dy − (s·dy)/Σs), s = √p.
template <class T>
void entmax_row_backward(const T* p, const T* dy, Index count, T* dz) {
  double sum = 0, mixed = 0;
  for (Index j = 0; j < count; ++j) {
    const double s = std::sqrt(static_cast<double>(p[j]));
    sum += s;
    mixed += s * static_cast<double>(dy[j]);
  }
  const double mean = sum > 0 ? mixed / sum : 0;
  for (Index j = 0; j < count; ++j) {
    const double s = std::sqrt(static_cast<double>(p[j]));
    dz[j] = static_cast<T>(s == 0 ? 0 : s * (static_cast<double>(dy[j]) - mean));
  }
}

}  // namespace

Var entmax15(const Var& scores) {
  const Tensor& z = scores.value;
  const Index width = z.dim(-1);
  Tensor p = Tensor::uninitialised(z.shape(), z.dtype());
  dispatch(z.dtype(), [&]<class T>() {
    std::vector<double> above;
    T* out = p.write<T>();
    for (Index i = 0; i < z.size(); i += width) entmax_row(z.data<T>() + i, width, above, out + i);
  });
  return record(p, {&scores}, [p, width](Backprop& b) {
    Tensor dz = Tensor::uninitialised(p.shape(), p.dtype());
    dispatch(p.dtype(), [&]<class T>() {
      T* out = dz.write<T>();
      for (Index i = 0; i < p.size(); i += width)
        entmax_row_backward(p.data<T>() + i, b.dy().data<T>() + i, width, out + i);
    });
    b.add(0, dz);
  });
}

}  // namespace heddle
