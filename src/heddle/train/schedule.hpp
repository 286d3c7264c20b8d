// The learning rate against the step.
#pragma once

#include "heddle/config/config.hpp"

namespace heddle {

/// The rate of step `step` (from 0): rises linearly over `warmup` steps, then falls as the schedule
/// says from lr to min_lr at the last step.
double learning_rate(const TrainConfig& config, long step);

}  // namespace heddle
