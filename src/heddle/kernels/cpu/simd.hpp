// Vectors of floats in the compiler's own vector extensions: the widest that this instruction set
// has. Everything is internal to the file that includes it, so that no function compiled for one
// instruction set can be linked into another.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__AVX__) || defined(__SSE__)
#include <immintrin.h>
#endif

#ifndef HEDDLE_ISA
#define HEDDLE_ISA baseline
#endif

namespace heddle::kernels::HEDDLE_ISA {
namespace {

using Index = std::ptrdiff_t;

#if defined(__AVX512F__)
constexpr Index kLanes = 16;
#elif defined(__AVX__)
constexpr Index kLanes = 8;
#else
constexpr Index kLanes = 4;
#endif
constexpr Index kVecBytes = kLanes * 4;

using Vec [[gnu::vector_size(kVecBytes)]] = float;
using VecInt [[gnu::vector_size(kVecBytes)]] = std::int32_t;
using UnalignedVec [[gnu::vector_size(kVecBytes), gnu::aligned(4), gnu::may_alias]] = float;

constexpr float kInfinity = __builtin_inff();

inline Index smaller(Index a, Index b) {
  return a < b ? a : b;
}
inline Index round_up(Index value, Index step) {
  return (value + step - 1) / step * step;
}

/// The same number in every lane. (value − 0 is value, even for −0; value + 0 would cost an
/// addition.)
inline Vec splat(float value) {
  return value - Vec{};
}
inline Vec load(const float* from) {
  return *reinterpret_cast<const UnalignedVec*>(from);
}
inline void store(float* to, Vec value) {
  *reinterpret_cast<UnalignedVec*>(to) = value;
}
inline VecInt bits(Vec value) {
  return reinterpret_cast<VecInt>(value);
}
inline Vec from_bits(VecInt value) {
  return reinterpret_cast<Vec>(value);
}
/// Where `mask` is all ones a, where it is zero b.
inline Vec choose(VecInt mask, Vec a, Vec b) {
  return from_bits((mask & bits(a)) | (~mask & bits(b)));
}
inline Vec larger(Vec a, Vec b) {
  return a > b ? a : b;
}

/// 0, 1, 2, … in the lanes.
inline VecInt lane_numbers() {
  VecInt lanes;
  for (int i = 0; i < kLanes; ++i) lanes[i] = i;
  return lanes;
}

// ── the first `count` lanes alone, 0 ≤ count ≤ kLanes; nothing beyond is read or written ──

#if defined(__AVX512F__)
inline __mmask16 first_lanes(Index count) {
  return static_cast<__mmask16>((1U << (static_cast<unsigned>(count) & 31U)) - 1U);
}
#elif defined(__AVX__)
inline __m256i first_lanes(Index count) {
  return reinterpret_cast<__m256i>(lane_numbers() < static_cast<std::int32_t>(count));
}
#endif

/// The other lanes become zero.
inline Vec load_part(const float* from, Index count) {
#if defined(__AVX512F__)
  return _mm512_maskz_loadu_ps(first_lanes(count), from);
#elif defined(__AVX__)
  return _mm256_maskload_ps(from, first_lanes(count));
#else
  Vec value{};
  for (int i = 0; i < count; ++i) value[i] = from[i];
  return value;
#endif
}
inline void store_part(float* to, Vec value, Index count) {
#if defined(__AVX512F__)
  _mm512_mask_storeu_ps(to, first_lanes(count), value);
#elif defined(__AVX__)
  _mm256_maskstore_ps(to, first_lanes(count), value);
#else
  for (int i = 0; i < count; ++i) to[i] = value[i];
#endif
}

// ── between the lanes ──

template <int... I>
struct LaneList {};
template <int Count, int... I>
struct MakeLaneList : MakeLaneList<Count - 1, Count - 1, I...> {};
template <int... I>
struct MakeLaneList<0, I...> {
  using type = LaneList<I...>;
};
using AllLanes = MakeLaneList<int{kLanes}>::type;

/// Lane i becomes lane i ^ Distance: neighbours change places, or halves do.
template <int Distance, int... I>
[[gnu::always_inline]] inline Vec exchanged(Vec v, LaneList<I...> /*lanes*/) {
  return __builtin_shufflevector(v, v, (I ^ Distance)...);
}

/// fold(lane, lane) over all lanes, halves first, always in the same order.
template <int Distance = int{kLanes / 2}, class Fold>
[[gnu::always_inline]] inline float fold_lanes(Vec v, Fold fold) {
  if constexpr (Distance == 0) {
    return v[0];
  } else {
    return fold_lanes<Distance / 2>(fold(v, exchanged<Distance>(v, AllLanes{})), fold);
  }
}
inline float sum_lanes(Vec value) {
  return fold_lanes(value, [](Vec a, Vec b) { return a + b; });
}
inline float max_lanes(Vec value) {
  return fold_lanes(value, [](Vec a, Vec b) { return larger(a, b); });
}

inline Vec square_root(Vec value) {
#if defined(__AVX512F__)
  return _mm512_maskz_sqrt_ps(first_lanes(kLanes), value);  // the plain one warns in GCC 12
#elif defined(__AVX__)
  return _mm256_sqrt_ps(value);
#elif defined(__SSE__)
  return _mm_sqrt_ps(value);
#else
  for (int i = 0; i < kLanes; ++i) value[i] = __builtin_sqrtf(value[i]);
  return value;
#endif
}

/// Runs body(at, lanes) over 0 … count in steps of one vector, the last one perhaps in part.
template <class Body>
[[gnu::always_inline]] inline void for_each_vec(Index count, Body body) {
  Index at = 0;
  for (; at + kLanes <= count; at += kLanes) body(at, Index{kLanes});
  if (at < count) body(at, count - at);
}
/// A vector in full or in part, for the bodies above.
inline Vec load_some(const float* from, Index lanes) {
  return lanes == kLanes ? load(from) : load_part(from, lanes);
}
inline void store_some(float* to, Vec value, Index lanes) {
  if (lanes == kLanes)
    store(to, value);
  else
    store_part(to, value, lanes);
}

}  // namespace
}  // namespace heddle::kernels::HEDDLE_ISA
