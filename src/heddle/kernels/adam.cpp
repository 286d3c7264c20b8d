// AdamW: float to the vector kernels, double to the reference.
#include "heddle/kernels/adam.hpp"

#include <cmath>

#include "heddle/kernels/reference/adam.hpp"
#include "heddle/kernels/table.hpp"

namespace heddle::kernels {

void adamw(const AdamW<float>& args) {
  // Everything that is the same for all weights is worked out once, in double.
  const auto step = static_cast<double>(args.step);
  const auto narrow = [](double value) { return static_cast<float>(value); };
  RawAdamW raw{};
  raw.count = std::ssize(args.w);
  raw.w = args.w.data();
  raw.m = args.m.data();
  raw.v = args.v.data();
  raw.g = args.g.data();
  raw.beta1 = narrow(args.beta1);
  raw.beta2 = narrow(args.beta2);
  raw.rest1 = narrow(1 - args.beta1);
  raw.rest2 = narrow(1 - args.beta2);
  raw.gradient_scale = narrow(args.gradient_scale);
  raw.rate = narrow(args.rate / (1 - std::pow(args.beta1, step)));
  raw.v_correction = narrow(1 / (1 - std::pow(args.beta2, step)));
  raw.epsilon = narrow(args.epsilon);
  raw.decay = narrow(args.rate * args.weight_decay);
  active_table().adamw(raw);
}
void adamw(const AdamW<double>& args) {
  reference::adamw(args);
}

void move_average(std::span<const float> w, double decay, std::span<float> average) {
  active_table().move_average({.count = std::ssize(w),
                               .w = w.data(),
                               .decay = static_cast<float>(decay),
                               .rest = static_cast<float>(1 - decay),
                               .average = average.data()});
}
void move_average(std::span<const double> w, double decay, std::span<double> average) {
  reference::move_average(w, decay, average);
}

}  // namespace heddle::kernels
