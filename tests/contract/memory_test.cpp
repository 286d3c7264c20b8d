// A training step asks for no memory once it is warm, whatever the number of threads.
#include <memory>

#include <gtest/gtest.h>

#include "heddle/base/memory/pool.hpp"
#include "heddle/train/trainer.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

struct Asked {
  std::uint64_t blocks = 0, allocations = 0;
};

/// What five steps ask for after five others.
Asked per_five_steps(const Config& config, int threads) {
  Team team(threads);
  Trainer trainer(config, team);
  for (int i = 0; i < 5; ++i) trainer.step();
  const std::uint64_t blocks = fresh_blocks(), calls = allocations();
  for (int i = 0; i < 5; ++i) trainer.step();
  return {fresh_blocks() - blocks, allocations() - calls};
}

TEST(Memory, AWarmStepAllocatesNothing) {
  for (const ActivationKind activation : {ActivationKind::relu, ActivationKind::gelu})
    for (const PositionKind position : {PositionKind::learned, PositionKind::sinusoidal})
      for (const int threads : {1, 2}) {
        Config config = tiny_config(NormKind::pre, activation, position);
        config.task.digits = 2;
        config.task.carry_balance = 0.5;
        config.train.batch = 64;
        config.train.ema = 0.9;
        const Asked asked = per_five_steps(config, threads);
        EXPECT_EQ(asked.blocks, 0U) << threads << " threads";
        EXPECT_EQ(asked.allocations, 0U) << threads << " threads";
      }
}

TEST(Memory, TheFixedSetIsDrawnWithoutAllocating) {
  Config config = tiny_config();
  config.task.digits = 3;
  config.task.source = DataSource::fixed;
  config.train.batch = 64;
  EXPECT_EQ(per_five_steps(config, 1).allocations, 0U);
}

/// The counter itself must see an allocation, aligned or not.
TEST(Memory, TheCounterCounts) {
  if (!allocations_are_counted()) GTEST_SKIP() << "a sanitizer has its own operator new";
  struct alignas(64) Wide {
    double numbers[8];
  };
  const std::uint64_t before = allocations();
  const auto small = std::make_unique<int>(1);
  const auto wide = std::make_unique<Wide>();
  EXPECT_EQ(allocations() - before, 2U);
  EXPECT_NE(static_cast<const void*>(small.get()), static_cast<const void*>(wide.get()));
}

}  // namespace
}  // namespace heddle::testing
