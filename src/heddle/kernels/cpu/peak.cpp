// Nothing but multiply-adds in registers: the yardstick that every other kernel is held against.
#include "heddle/kernels/cpu/kernels.hpp"

namespace heddle::kernels::HEDDLE_ISA {
namespace {

// Enough chains to hide the latency (4–5 cycles × 2 units), few enough to stay in 16 registers.
constexpr int kChains = 10;

}  // namespace

/// `rounds` times one multiply-add in every lane of every chain; returns the operations done.
double multiply_adds(std::ptrdiff_t rounds) {
  volatile float factor = 0.999F, term = 1e-3F;  // the compiler must not know them
  const Vec a = splat(factor), b = splat(term);
  Vec chain[kChains];  // NOLINT(modernize-avoid-c-arrays): see tile.hpp
  for (int i = 0; i < kChains; ++i) chain[i] = splat(static_cast<float>(i));
  for (std::ptrdiff_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 16
    for (Vec& sum : chain) sum = sum * a + b;
  }
  volatile float sink = 0;
  for (const Vec& sum : chain) sink = sink + sum[0];
  return 2.0 * kLanes * kChains * static_cast<double>(rounds);
}

}  // namespace heddle::kernels::HEDDLE_ISA
