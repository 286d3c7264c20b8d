// Random streams named by what they are for: a draw depends on seed, name, index and its place in
// that stream, never on what other streams were used for. Same bits on every platform.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace heddle {

/// Philox4x32-10 (Salmon et al. 2011). The key is a hash of seed and name; the counter is the
/// stream's index (a step, an epoch, a layer) beside the number of blocks drawn.
class Rng {
 public:
  Rng(std::uint64_t seed, std::string_view name, std::uint64_t index = 0);

  std::uint64_t next_u64() {
    if (used_ == block_.size()) refill();
    return block_[used_++];
  }
  /// A number in 0 … n−1, each exactly equally likely; n ≥ 1.
  std::uint64_t below(std::uint64_t n);
  /// A multiple of 2⁻⁵³ in [0, 1).
  double uniform() { return static_cast<double>(next_u64() >> 11) * 0x1p-53; }
  /// Mean 0, variance 1: the inverse of the normal distribution at (k + ½)·2⁻⁵³, k of 53 bits, so
  /// one draw of the stream each and never beyond ±8.3.
  double normal();

  /// Every order equally likely (Fisher and Yates).
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t left = items.size(); left > 1; --left)
      std::swap(items[left - 1], items[below(left)]);
  }

 private:
  void refill();

  std::array<std::uint32_t, 2> key_{};
  std::uint64_t index_ = 0;
  std::uint64_t blocks_ = 0;
  std::array<std::uint64_t, 2> block_{};
  std::size_t used_ = 2;
};

/// The ten rounds of Philox: a counter and a key to four random words.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

/// The z with Φ(z) = p, 0 < p < 1, to about 1e-15 of z: Wichura's rational functions (AS 241).
/// Only + − · ÷ √ and fused multiply-add, which IEEE 754 fixes to the last bit: no libm logarithm.
double inverse_normal(double p);

/// One order of 0 … size−1 out of a stream, answered item by item without holding the list: an
/// epoch's order, at any place, costs no memory and no state.
class Permutation {
 public:
  Permutation(Rng rng, std::uint64_t size);
  std::uint64_t operator()(std::uint64_t place) const;

 private:
  static constexpr int kRounds = 12;  // with 6, orders of ten items are visibly uneven

  std::uint64_t size_;
  int half_bits_ = 1;
  std::array<std::uint64_t, kRounds> keys_{};
};

}  // namespace heddle
