// AdamW in one pass over flat buffers.
#pragma once

#include <span>

namespace heddle::kernels {

/// One step t for every weight w with gradient g·gradient_scale:
///   m = β₁m + (1−β₁)g;  v = β₂v + (1−β₂)g²;
///   w −= rate · (m/(1−β₁ᵗ) / (√(v/(1−β₂ᵗ)) + ε) + weight_decay · w).
template <class T>
struct AdamW {
  std::span<T> w, m, v;
  std::span<const T> g;
  double rate = 1e-3, beta1 = 0.9, beta2 = 0.98, epsilon = 1e-9, weight_decay = 0;
  double gradient_scale = 1;  ///< below 1 when the gradient is clipped
  long step = 1;              ///< counts from 1
};
void adamw(const AdamW<float>& args);
void adamw(const AdamW<double>& args);

/// average = decay · average + (1 − decay) · w.
void move_average(std::span<const float> w, double decay, std::span<float> average);
void move_average(std::span<const double> w, double decay, std::span<double> average);

}  // namespace heddle::kernels
