// The learning rate: a straight rise, then the chosen fall, from lr to min_lr.
#include "heddle/train/schedule.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TrainConfig settings(ScheduleKind schedule) {
  TrainConfig config;
  config.lr = 0.8;
  config.min_lr = 0.2;
  config.warmup = 4;
  config.steps = 14;
  config.schedule = schedule;
  return config;
}

TEST(Schedule, RisesInAStraightLine) {
  for (const auto kind : {ScheduleKind::cosine, ScheduleKind::linear, ScheduleKind::constant})
    for (long step = 0; step < 4; ++step)
      EXPECT_DOUBLE_EQ(learning_rate(settings(kind), step), 0.2 * static_cast<double>(step + 1));
}

TEST(Schedule, FallsAsItSays) {
  const TrainConfig cosine = settings(ScheduleKind::cosine),
                    linear = settings(ScheduleKind::linear);
  for (const TrainConfig& config : {cosine, linear}) {
    EXPECT_DOUBLE_EQ(learning_rate(config, 4), 0.8);
    EXPECT_DOUBLE_EQ(learning_rate(config, 9), 0.5);  // half way
    EXPECT_DOUBLE_EQ(learning_rate(config, 14), 0.2);
    EXPECT_DOUBLE_EQ(learning_rate(config, 1000), 0.2);
  }
  EXPECT_NEAR(learning_rate(cosine, 5), 0.2 + 0.3 * (1 + 0.95105651629515353), 1e-15);
  EXPECT_NEAR(learning_rate(linear, 5), 0.74, 1e-15);
  EXPECT_EQ(learning_rate(settings(ScheduleKind::constant), 12), 0.8);
}

TEST(Schedule, StandsWithoutWarmUpOrWithNothingElse) {
  TrainConfig config = settings(ScheduleKind::cosine);
  config.warmup = 0;
  EXPECT_EQ(learning_rate(config, 0), 0.8);
  config.warmup = 20;
  config.steps = 10;
  EXPECT_DOUBLE_EQ(learning_rate(config, 9), 0.4);
  EXPECT_EQ(learning_rate(config, 20), 0.8);
}

}  // namespace
}  // namespace heddle
