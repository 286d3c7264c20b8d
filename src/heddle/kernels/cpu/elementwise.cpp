// Runs of numbers: sums, activations, Σ x².
#include "heddle/kernels/cpu/kernels.hpp"
#include "heddle/kernels/cpu/math.hpp"

namespace heddle::kernels::HEDDLE_ISA {

void add(std::ptrdiff_t count, const float* a, const float* b, float* y) {
  for_each_vec(count, [&](Index i, Index lanes) {
    store_some(y + i, load_some(a + i, lanes) + load_some(b + i, lanes), lanes);
  });
}

void activate(Activation activation, std::ptrdiff_t count, const float* x, float* y) {
  for_each_vec(count, [&](Index i, Index lanes) {
    store_some(y + i, activated(activation, load_some(x + i, lanes)), lanes);
  });
}

void activate_backward(const RawActivateBackward& args) {
  for_each_vec(args.count, [&](Index i, Index lanes) {
    const Vec dy = load_some(args.dy + i, lanes);
    store_some(args.dx + i, sloped(args.activation, load_some(args.at + i, lanes), dy), lanes);
  });
}

/// Sixteen sums in double, number i in sum i mod 16, folded at the end: the product of two floats
/// is exact in double, so the result is the same on every instruction set.
double sum_of_squares(std::ptrdiff_t count, const float* x) {
  constexpr int kSums = 16;
  double sums[kSums] = {};  // NOLINT(modernize-avoid-c-arrays): see tile.hpp
  Index i = 0;
  for (; i + kSums <= count; i += kSums)
    for (int s = 0; s < kSums; ++s) {
      const double value = x[i + s];
      sums[s] += value * value;
    }
  for (int s = 0; i < count; ++i, ++s) sums[s] += static_cast<double>(x[i]) * x[i];
  for (int half = kSums / 2; half > 0; half /= 2)
    for (int s = 0; s < half; ++s) sums[s] += sums[s + half];
  return sums[0];
}

}  // namespace heddle::kernels::HEDDLE_ISA
