// Philox4x32-10, and distributions that use only exactly rounded arithmetic.
#include "heddle/base/rng.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "heddle/base/hash.hpp"

namespace heddle {

namespace {

using Words = std::array<std::uint32_t, 4>;

constexpr std::uint32_t low(std::uint64_t x) {
  return static_cast<std::uint32_t>(x);
}
constexpr std::uint32_t high(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32);
}

/// c[0] + c[1]·x + c[2]·x² + …; each step is one rounding on every machine.
[[gnu::always_inline]] inline double polynomial(std::span<const double> c, double x) {
  double sum = 0;
  for (std::size_t i = c.size(); i-- > 0;) sum = std::fma(sum, x, c[i]);
  return sum;
}

/// ln x for normal x > 0, to about 2e-16: ln(m·2ᵉ) = e·ln 2 + 2·artanh((m−1)/(m+1)).
[[gnu::always_inline]] inline double portable_log(double x) {
  static constexpr std::array<double, 13> kArtanh{1.0,      1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,
                                                  1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19,
                                                  1.0 / 21, 1.0 / 23, 1.0 / 25};
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // in [½, 1)
  if (m < 0x1.6a09e667f3bcdp-1) {       // √½: keep |m−1| small
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1);
  const double series = 2 * s * polynomial(kArtanh, s * s);
  return std::fma(static_cast<double>(exponent), std::numbers::ln2, series);
}

// Wichura (1988), PPND16: numerator and denominator for the middle, the tail and the far tail.
constexpr std::array<double, 8> kMiddleTop{3.3871328727963666080e0,  1.3314166789178437745e+2,
                                           1.9715909503065514427e+3, 1.3731693765509461125e+4,
                                           4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                           3.3430575583588128105e+4, 2.5090809287301226727e+3};
constexpr std::array<double, 8> kMiddleBottom{1.0,
                                              4.2313330701600911252e+1,
                                              6.8718700749205790830e+2,
                                              5.3941960214247511077e+3,
                                              2.1213794301586595867e+4,
                                              3.9307895800092710610e+4,
                                              2.8729085735721942674e+4,
                                              5.2264952788528545610e+3};
constexpr std::array<double, 8> kTailTop{1.42343711074968357734e0,  4.63033784615654529590e0,
                                         5.76949722146069140550e0,  3.64784832476320460504e0,
                                         1.27045825245236838258e0,  2.41780725177450611770e-1,
                                         2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr std::array<double, 8> kTailBottom{1.0,
                                            2.05319162663775882187e0,
                                            1.67638483018380384940e0,
                                            6.89767334985100004550e-1,
                                            1.48103976427480074590e-1,
                                            1.51986665636164571966e-2,
                                            5.47593808499534494600e-4,
                                            1.05075007164441684324e-9};
constexpr std::array<double, 8> kFarTop{6.65790464350110377720e0,  5.46378491116411436990e0,
                                        1.78482653991729133580e0,  2.96560571828504891230e-1,
                                        2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                        2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr std::array<double, 8> kFarBottom{1.0,
                                           5.99832206555887937690e-1,
                                           1.36929880922735805310e-1,
                                           1.48753612908506148525e-2,
                                           7.86869131145613259100e-4,
                                           1.84631831751005468180e-5,
                                           1.42151175831644588870e-7,
                                           2.04426310338993978564e-15};

[[gnu::always_inline]] inline double inverse_normal_here(double p) {
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = std::fma(-q, q, 0.180625);
    return q * polynomial(kMiddleTop, r) / polynomial(kMiddleBottom, r);
  }
  const double r = std::sqrt(-portable_log(q < 0 ? p : 1 - p));
  const double z = r <= 5 ? polynomial(kTailTop, r - 1.6) / polynomial(kTailBottom, r - 1.6)
                          : polynomial(kFarTop, r - 5) / polynomial(kFarBottom, r - 5);
  return q < 0 ? -z : z;
}

// The same instructions twice: std::fma is one of them where the machine has it, and a call that
// takes ten times as long where the compiler may not assume so. Either way it rounds once.
double inverse_normal_plain(double p) {
  return inverse_normal_here(p);
}
#if defined(__x86_64__)
[[gnu::target("fma")]] double inverse_normal_fma(double p) {
  return inverse_normal_here(p);
}
#endif

}  // namespace

Words philox4x32(Words counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t q = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {high(q) ^ counter[1] ^ key[0], low(q), high(p) ^ counter[3] ^ key[1], low(p)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

Rng::Rng(std::uint64_t seed, std::string_view name, std::uint64_t index) : index_(index) {
  const std::uint64_t key = Hash().add(seed).add(name).value();
  key_ = {low(key), high(key)};
}

void Rng::refill() {
  const Words w = philox4x32({low(blocks_), high(blocks_), low(index_), high(index_)}, key_);
  block_ = {std::uint64_t{w[1]} << 32 | w[0], std::uint64_t{w[3]} << 32 | w[2]};
  ++blocks_;
  used_ = 0;
}

std::uint64_t Rng::below(std::uint64_t n) {
  // 2⁶⁴ is rarely a multiple of n: the first 2⁶⁴ mod n values would make small answers likelier.
  const std::uint64_t uneven = (0 - n) % n;
  std::uint64_t draw = next_u64();
  while (draw < uneven) draw = next_u64();
  return draw % n;
}

double Rng::normal() {
  const auto k = static_cast<double>(next_u64() >> 11);
  // (k + ½)·2⁻⁵³ does not fit 53 bits above ½: reflect, so that both tails are exact.
  return k < 0x1p52 ? inverse_normal((k + 0.5) * 0x1p-53)
                    : -inverse_normal((0x1p53 - 1 - k + 0.5) * 0x1p-53);
}

double inverse_normal(double p) {
#if defined(__x86_64__)
  static const bool kHasFma = __builtin_cpu_supports("fma") != 0;
  if (kHasFma) return inverse_normal_fma(p);
#endif
  return inverse_normal_plain(p);
}

Permutation::Permutation(Rng rng, std::uint64_t size) : size_(size) {
  half_bits_ = size < 2 ? 1 : (static_cast<int>(std::bit_width(size - 1)) + 1) / 2;
  for (std::uint64_t& key : keys_) key = rng.next_u64();
}

std::uint64_t Permutation::operator()(std::uint64_t place) const {
  // A Feistel network permutes 0 … 4^half_bits − 1; walking on until the result is below size_
  // permutes 0 … size_ − 1.
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  do {
    std::uint64_t left = place >> half_bits_;
    std::uint64_t right = place & mask;
    for (const std::uint64_t key : keys_)
      left = std::exchange(right, left ^ (mix_bits(right ^ key) & mask));
    place = left << half_bits_ | right;
  } while (place >= size_);
  return place;
}

}  // namespace heddle
