// Tensors for tests: drawn from named streams, compared bit for bit or by their largest difference.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle::testing {

/// The largest relative error of one float operation: 2⁻²⁴.
inline constexpr double kUnit = 0x1p-24;
/// The same for double: 2⁻⁵³.
inline constexpr double kUnit64 = 0x1p-53;

/// Numbers in [−size, size) that float holds exactly, so that both precisions start alike.
inline Tensor random_tensor(const Shape& shape, std::string_view stream, double size = 1,
                            DType dtype = DType::f64) {
  Rng rng(7, stream);
  Tensor t = Tensor::uninitialised(shape, dtype);
  dispatch(dtype, [&]<class T>() {
    T* out = t.write<T>();
    for (Index i = 0; i < t.size(); ++i)
      out[i] = static_cast<T>(static_cast<float>(size * (2 * rng.uniform() - 1)));
  });
  return t;
}

inline bool same_bits(const Tensor& a, const Tensor& b) {
  if (a.empty() || b.empty()) return a.empty() && b.empty();
  if (!(a.shape() == b.shape()) || a.dtype() != b.dtype()) return false;
  return dispatch(a.dtype(),
                  [&]<class T>() { return std::memcmp(a.data<T>(), b.data<T>(), a.bytes()) == 0; });
}

/// A tensor's numbers in double, whatever its type.
inline std::vector<double> numbers_of(const Tensor& t) {
  std::vector<double> out;
  out.reserve(to_size(t.size()));
  dispatch(t.dtype(), [&]<class T>() {
    for (const T v : t.flat<T>()) out.push_back(static_cast<double>(v));
  });
  return out;
}

inline double largest(const Tensor& t) {
  double most = 0;
  for (const double v : numbers_of(t)) most = std::max(most, std::abs(v));
  return most;
}

/// max |a − b|; infinite where the shapes differ, NaN where a number is one. Equal infinities
/// agree.
inline double largest_difference(const Tensor& a, const Tensor& b) {
  if (!(a.shape() == b.shape())) return HUGE_VAL;
  const std::vector<double> x = numbers_of(a), y = numbers_of(b);
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double difference = x[i] == y[i] ? 0 : std::abs(x[i] - y[i]);
    if (!(difference <= most)) most = difference;
  }
  return most;
}

}  // namespace heddle::testing
