// exp, ln and the activations on vectors.
#pragma once

#include "heddle/kernels/activation.hpp"
#include "heddle/kernels/cpu/simd.hpp"

namespace heddle::kernels::HEDDLE_ISA {
namespace {

/// eˣ to about 1 ulp. Write x = n ln2 + r with |r| ≤ ½ ln2; then eˣ = 2ⁿ eʳ, and eʳ is a polynomial
/// (coefficients of Cephes' expf). Below −104 it is 0, above 88.72 +inf; NaN stays NaN.
inline Vec exp(Vec x) {
  // Adding 1.5·2²³ pushes the fraction out of the mantissa: n stands in the low bits, rounded.
  const Vec rounder = splat(12582912.0F);
  // Outside this range the result is 0 or inf anyway; a NaN fails both comparisons and goes on.
  x = x < -104.0F ? splat(-104.0F) : x;
  x = x > 89.0F ? splat(89.0F) : x;
  const Vec shifted = x * 1.44269504088896341F + rounder;
  const Vec n = shifted - rounder;
  const VecInt exponent = bits(shifted) - bits(rounder);
  // ln2 in two parts: n times the first is exact.
  Vec r = x - n * 0.693359375F;
  r = r - n * -2.12194440e-4F;
  Vec p = r * 1.9875691500E-4F + 1.3981999507E-3F;
  p = p * r + 8.3334519073E-3F;
  p = p * r + 4.1665795894E-2F;
  p = p * r + 1.6666665459E-1F;
  p = p * r + 5.0000001201E-1F;
  p = p * (r * r) + r + 1.0F;
  // 2ⁿ in two factors, since n may reach −150 and 128, where one float cannot hold it.
  const VecInt half = exponent >> 1;
  const Vec scale1 = from_bits((half + 127) << 23);
  const Vec scale2 = from_bits((exponent - half + 127) << 23);
  return p * scale1 * scale2;
}

/// ln x for normal x > 0. Write x = 2ᵉ m with √½ ≤ m < √2; ln m is a polynomial in m − 1 (Cephes'
/// logf).
inline Vec log(Vec x) {
  const VecInt shift =
      bits(x) - 0x3F3504F3;  // the bits of √½: the exponent field now rounds as we want
  const VecInt exponent = shift >> 23;
  const Vec e = __builtin_convertvector(exponent, Vec);
  const Vec f = from_bits((shift & 0x007FFFFF) + 0x3F3504F3) - 1.0F;
  Vec p = f * 7.0376836292E-2F - 1.1514610310E-1F;
  p = p * f + 1.1676998740E-1F;
  p = p * f - 1.2420140846E-1F;
  p = p * f + 1.4249322787E-1F;
  p = p * f - 1.6668057665E-1F;
  p = p * f + 2.0000714765E-1F;
  p = p * f - 2.4999993993E-1F;
  p = p * f + 3.3333331174E-1F;
  const Vec square = f * f;
  const Vec low = p * square * f + e * -2.12194440e-4F - 0.5F * square;
  return f + low + e * 0.693359375F;
}

/// 1 / (1 + e^−2u) with u = √(2/π)(x + 0.044715x³): the share of x that a GELU lets through,
/// since ½(1 + tanh u) = 1 / (1 + e^−2u).
inline Vec gelu_share(Vec x) {
  const Vec minus_two_u = x * (-1.5957691216057308F - 0.071354816272F * (x * x));
  return 1.0F / (1.0F + exp(minus_two_u));
}
inline Vec gelu(Vec x) {
  return x * gelu_share(x);
}
/// With s = gelu_share: s + x s (1 − s) · 2u'.
inline Vec gelu_slope(Vec x) {
  const Vec s = gelu_share(x);
  const Vec two_u_slope = 1.5957691216057308F + 0.214064448817F * (x * x);
  return s + x * s * (1.0F - s) * two_u_slope;
}

/// NaN stays NaN.
inline Vec relu(Vec x) {
  return x < 0.0F ? Vec{} : x;
}

inline Vec activated(Activation activation, Vec x) {
  if (activation == Activation::relu) return relu(x);
  if (activation == Activation::gelu) return gelu(x);
  return x;
}
/// dy · activation'(at).
inline Vec sloped(Activation activation, Vec at, Vec dy) {
  if (activation == Activation::relu) return at > 0.0F ? dy : Vec{};
  if (activation == Activation::gelu) return dy * gelu_slope(at);
  return dy;
}

}  // namespace
}  // namespace heddle::kernels::HEDDLE_ISA
