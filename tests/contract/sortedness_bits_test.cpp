// Training a classifier: the same bits for any number of threads and after any stop, no memory once
// it is warm, and untrained rows stay as they began.
#include <gtest/gtest.h>

#include "heddle/base/memory/pool.hpp"
#include "heddle/eval/sortedness.hpp"
#include "heddle/train/trainer.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_classifier.hpp"
#include "tests/support/trained.hpp"

namespace heddle::testing {
namespace {

/// The kinds of training that differ in what they draw or sum.
std::vector<Config> kinds_of_training() {
  std::vector<Config> all{tiny_sorter(PositionKind::alibi, PoolingSetting::max),
                          tiny_sorter(PositionKind::learned, PoolingSetting::mean),
                          tiny_sorter(PositionKind::shaw, PoolingSetting::noisy_or),
                          tiny_sorter(PositionKind::fire, PoolingSetting::attention),
                          tiny_sorter(PositionKind::random_offset, PoolingSetting::cls),
                          tiny_sorter(PositionKind::randomised, PoolingSetting::multi),
                          tiny_sorter(PositionKind::rope, PoolingSetting::lse),
                          tiny_sorter(PositionKind::causal, PoolingSetting::token_max)};
  all.front().model.direction = DirectionKind::split;
  all[1].task.source = DataSource::fixed;
  all[6].model.normaliser = NormaliserKind::entmax;
  all[7].model.normaliser = NormaliserKind::log_n;
  for (Config& config : all) config.train.batch = 34;
  return all;
}

TEST(SortednessBits, TrainingIsTheSameForAnyNumberOfThreads) {
  for (const Config& config : kinds_of_training()) {
    const std::vector<Tensor> alone = trained(config, 1, 20);
    for (const int threads : {2, 4}) {
      SCOPED_TRACE(fmt::format("{}, {} threads", sorter_name(config), threads));
      expect_same(trained(config, threads, 20), alone);
    }
  }
}

TEST(SortednessBits, AStoppedRunEndsWithTheSameFiles) {
  for (Config config : kinds_of_training()) {
    const PositionKind position = config.model.position;
    if (position != PositionKind::alibi && position != PositionKind::learned &&
        position != PositionKind::randomised)
      continue;  // the others draw nothing that these do not draw
    SCOPED_TRACE(sorter_name(config));
    config.train.eval_every = 8;
    expect_stops_unseen(config);
  }
}

TEST(SortednessBits, MarginsDependOnNothingBeside) {
  const SortedExam set({.length = 40, .kind = NegativeKind::adjacent, .count = 400, .seed = 1});
  for (const Config& config : kinds_of_training()) {
    if (config.model.position == PositionKind::learned) continue;  // 40 are too many for it
    const TinyClassifier tiny(config);
    const auto margins = [&](int threads) {
      Team team(threads);
      return margins_of(
          {.model = tiny.model(), .weights = tiny.weights(), .seed = config.seed, .team = team},
          set);
    };
    const std::vector<double> alone = margins(1);
    EXPECT_EQ(margins(3), alone) << sorter_name(config);
    EXPECT_NE(alone.front(), alone.back());
  }
}

/// What a hundred steps ask for after a hundred others, in which every length has come.
std::pair<std::uint64_t, std::uint64_t> asked(const Config& config, int threads) {
  constexpr int kSteps = 100;
  Team team(threads);
  Trainer trainer(config, team);
  for (int i = 0; i < kSteps; ++i) trainer.step();
  const std::uint64_t blocks = fresh_blocks(), calls = allocations();
  for (int i = 0; i < kSteps; ++i) trainer.step();
  return {fresh_blocks() - blocks, allocations() - calls};
}

TEST(SortednessMemory, AWarmStepOfTheDefaultRecipeAllocatesNothing) {
  for (const int threads : {1, 2}) {
    Config config = default_config(TaskKind::sortedness);
    config.model.d_model = 16;
    config.model.d_ff = 32;
    config.train.batch = 16;
    const auto [blocks, calls] = asked(config, threads);
    EXPECT_EQ(blocks, 0U) << threads << " threads";
    EXPECT_EQ(calls, 0U) << threads << " threads";
  }
}

TEST(SortednessMemory, NorDoesThatOfAnyEncoding) {
  for (const PositionKind position : all_positions()) {
    const auto [blocks, calls] = asked(tiny_sorter(position, PoolingSetting::max), 1);
    EXPECT_EQ(blocks, 0U) << field_text(position);
    EXPECT_EQ(calls, 0U) << field_text(position);
  }
}

TEST(SortednessMemory, NorOfAnyPoolingOrNormaliser) {
  for (const PoolingSetting pooling : all_poolings()) {
    Config config = tiny_sorter(PositionKind::alibi, pooling);
    config.model.direction = DirectionKind::split;
    EXPECT_EQ(asked(config, 1), std::pair(std::uint64_t{0}, std::uint64_t{0}))
        << field_text(pooling);
  }
  for (const NormaliserKind normaliser : {NormaliserKind::log_n, NormaliserKind::entmax}) {
    Config config = tiny_sorter(PositionKind::alibi, PoolingSetting::max);
    config.model.normaliser = normaliser;
    EXPECT_EQ(asked(config, 1), std::pair(std::uint64_t{0}, std::uint64_t{0}))
        << field_text(normaliser);
  }
}

}  // namespace
}  // namespace heddle::testing
