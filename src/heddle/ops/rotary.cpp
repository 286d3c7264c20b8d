// See rotary.hpp.
#include "heddle/ops/rotary.hpp"

#include <cmath>
#include <vector>

#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

/// cos and sin of every angle, [rows, d/2, 2], worked out in double; one row per position, or per
/// token where places are given.
Tensor turns_of(const Tensor& x, const RotaryOptions& options) {
  const Index rows = options.places ? x.dim(0) * x.dim(1) : x.dim(1), pairs = x.dim(3) / 2;
  std::vector<double> speeds;
  for (Index k = 0; k < pairs; ++k)
    speeds.push_back(
        std::pow(options.base, -2 * static_cast<double>(k) / static_cast<double>(x.dim(3))));
  Tensor turns = Tensor::uninitialised({rows, pairs, 2}, x.dtype());
  dispatch(x.dtype(), [&]<class T>() {
    T* out = turns.write<T>();
    for (Index i = 0; i < rows; ++i) {
      const double place =
          options.places ? options.places[i] : static_cast<double>(options.first + i);
      for (const double speed : speeds) {
        *out++ = static_cast<T>(std::cos(place * speed));
        *out++ = static_cast<T>(std::sin(place * speed));
      }
    }
  });
  return turns;
}

/// Every pair turned forwards (sign 1) or back (−1).
Tensor turned(const Tensor& x, const Tensor& turns, int sign) {
  const Index tokens = x.dim(0) * x.dim(1), heads = x.dim(2), d = x.dim(3);
  Tensor y = Tensor::uninitialised(x.shape(), x.dtype());
  dispatch(x.dtype(), [&]<class T>() {
    const T* in = x.data<T>();
    T* out = y.write<T>();
    for (Index t = 0; t < tokens; ++t) {
      const T* turn = turns.data<T>() + t % turns.dim(0) * d;
      for (Index h = 0; h < heads; ++h, in += d, out += d)
        for (Index e = 0; e < d; e += 2) {
          const T c = turn[e], s = static_cast<T>(sign) * turn[e + 1];
          out[e] = in[e] * c - in[e + 1] * s;
          out[e + 1] = in[e] * s + in[e + 1] * c;
        }
    }
  });
  return y;
}

}  // namespace

Var rotate(const Var& x, const RotaryOptions& options) {
  check<ShapeError>(x.value.rank() == 4 && x.value.dim(3) % 2 == 0,
                    "rotary: {} must be [batch, position, head, feature], features in pairs",
                    x.value.shape());
  check<UsageError>(options.base > 0, "rotary: a base of {}, which must be positive", options.base);
  const Tensor turns = turns_of(x.value, options);
  return record(turned(x.value, turns, 1), {&x},
                [turns](Backprop& b) { b.add(0, turned(b.dy(), turns, -1)); });
}

}  // namespace heddle
