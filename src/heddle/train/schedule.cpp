// See schedule.hpp.
#include "heddle/train/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heddle {

double learning_rate(const TrainConfig& config, long step) {
  if (step < config.warmup)
    return config.lr * static_cast<double>(step + 1) / static_cast<double>(config.warmup);
  const auto span = static_cast<double>(std::max<std::int64_t>(config.steps - config.warmup, 1));
  const double done = std::min(1.0, static_cast<double>(step - config.warmup) / span);
  switch (config.schedule) {
    case ScheduleKind::constant:
      return config.lr;
    case ScheduleKind::linear:
      return config.min_lr + (config.lr - config.min_lr) * (1 - done);
    case ScheduleKind::cosine:
      break;
  }
  return config.min_lr +
         (config.lr - config.min_lr) * 0.5 * (1 + std::cos(std::numbers::pi * done));
}

}  // namespace heddle
