// Sums and extremes over one row.
#pragma once

#include "heddle/kernels/cpu/math.hpp"

namespace heddle::kernels::HEDDLE_ISA {
namespace {

/// The lanes at and beyond `lanes` replaced by `other`.
inline Vec pad(Vec value, Index lanes, float other) {
  if (lanes == kLanes) return value;
  return choose(lane_numbers() < static_cast<std::int32_t>(lanes), value, splat(other));
}

inline float row_max(const float* x, Index count) {
  Vec most = splat(-kInfinity);
  for_each_vec(count, [&](Index j, Index lanes) {
    most = larger(pad(load_some(x + j, lanes), lanes, -kInfinity), most);
  });
  return max_lanes(most);
}

inline float row_sum(const float* x, Index count) {
  Vec sum{};
  for_each_vec(count, [&](Index j, Index lanes) { sum += load_some(x + j, lanes); });
  return sum_lanes(sum);
}

inline float row_dot(const float* x, const float* y, Index count) {
  Vec sum{};
  for_each_vec(count, [&](Index j, Index lanes) {
    sum += load_some(x + j, lanes) * load_some(y + j, lanes);
  });
  return sum_lanes(sum);
}

/// y = exp(x − top), unless y is null; returns Σ exp(x − top).
inline float exp_row(const float* x, Index count, float top, float* y) {
  Vec sum{};
  for_each_vec(count, [&](Index j, Index lanes) {
    const Vec p = pad(exp(load_some(x + j, lanes) - top), lanes, 0.0F);
    if (y) store_some(y + j, p, lanes);
    sum += p;
  });
  return sum_lanes(sum);
}

}  // namespace
}  // namespace heddle::kernels::HEDDLE_ISA
