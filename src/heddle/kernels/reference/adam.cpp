// The naive twin that judges the vector kernels of cpu/.
#include "heddle/kernels/reference/adam.hpp"

#include <cmath>

namespace heddle::kernels::reference {

void adamw(const AdamW<double>& args) {
  const double correct1 = 1 - std::pow(args.beta1, static_cast<double>(args.step));
  const double correct2 = 1 - std::pow(args.beta2, static_cast<double>(args.step));
  for (std::size_t i = 0; i < args.w.size(); ++i) {
    const double g = args.g[i] * args.gradient_scale;
    args.m[i] = args.beta1 * args.m[i] + (1 - args.beta1) * g;
    args.v[i] = args.beta2 * args.v[i] + (1 - args.beta2) * g * g;
    const double m_hat = args.m[i] / correct1;
    const double v_hat = args.v[i] / correct2;
    args.w[i] -=
        args.rate * (m_hat / (std::sqrt(v_hat) + args.epsilon) + args.weight_decay * args.w[i]);
  }
}

void move_average(std::span<const double> w, double decay, std::span<double> average) {
  for (std::size_t i = 0; i < w.size(); ++i) average[i] = decay * average[i] + (1 - decay) * w[i];
}

}  // namespace heddle::kernels::reference
