// The same bits for any number of threads, after saving and loading, and after any stop.
#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/eval/score.hpp"
#include "heddle/model/checkpoint.hpp"
#include "heddle/task/addition/words.hpp"
#include "heddle/task/registry.hpp"
#include "heddle/train/loop.hpp"
#include "heddle/train/saved_state.hpp"
#include "heddle/train/trainer.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"
#include "tests/support/trained.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

Config two_digits(std::int64_t batch) {
  Config config = tiny_config();
  config.task.digits = 2;
  config.train.batch = batch;
  config.train.ema = 0.9;
  config.train.weight_decay = 0.01;
  return config;
}

TEST(Bits, TrainingIsTheSameForAnyNumberOfThreads) {
  for (const std::int64_t batch : {1, 33, 257}) {
    const std::vector<Tensor> alone = trained(two_digits(batch), 1, 10);
    ASSERT_EQ(alone.size(), 4U);
    for (const int threads : {2, 3, 4}) {
      SCOPED_TRACE(fmt::format("batch {}, {} threads", batch, threads));
      expect_same(trained(two_digits(batch), threads, 10), alone);
    }
  }
}

TEST(Bits, StartsOfDigitsAreDrawnByProblemNotByThread) {
  Config config = two_digits(33);
  config.model.position = PositionKind::coupled;
  config.model.position_starts = 5;
  const std::vector<Tensor> alone = trained(config, 1, 10);
  for (const int threads : {2, 3}) expect_same(trained(config, threads, 10), alone);
  config.model.position_starts = 4;
  EXPECT_NE(numbers_of(trained(config, 1, 10)[0]), numbers_of(alone[0]));
}

TEST(Bits, AScoreIsTheSameForAnyNumberOfThreads) {
  const TinyModel tiny(two_digits(16));
  const auto task = make_task(tiny.config());
  const Questions questions = questions_of(some_problems(2, 1777));
  const auto score = [&](int threads) {
    Team team(threads);
    return score_questions({.model = tiny.model(), .weights = tiny.weights(), .team = team}, *task,
                           "some", questions);
  };
  const Score alone = score(1);
  EXPECT_EQ(alone.greedy.total, 1777);
  for (const int threads : {2, 3, 4}) {
    const Score other = score(threads);
    EXPECT_EQ(other.loss, alone.loss);
    EXPECT_EQ(other.greedy, alone.greedy);
    EXPECT_EQ(other.teacher_forced_tokens, alone.teacher_forced_tokens);
    EXPECT_EQ(other.facets, alone.facets);
    EXPECT_EQ(other.common_first, alone.common_first);
    EXPECT_EQ(other.first_right, alone.first_right);
    EXPECT_EQ(other.mistakes, alone.mistakes);
  }
}

TEST(Bits, SavedAndLoadedIsTheSame) {
  const TempFolder folder;
  for (const DType dtype : {DType::f32, DType::f64}) {
    const TinyModel tiny(two_digits(16), dtype);
    save_weights(folder / "w", tiny.weights(), {{"a", "b"}});
    Weights loaded(tiny.model().layout(), dtype);
    EXPECT_EQ(load_weights(folder / "w", loaded).at("a"), "b");
    EXPECT_TRUE(same_bits(loaded.flat(), tiny.weights().flat()));
    save_weights(folder / "again", loaded, {{"a", "b"}});
    EXPECT_EQ(read_file(folder / "w"), read_file(folder / "again"));
  }
}

/// Ten steps, the state saved, ten more in a trainer that knows nothing but the files.
TEST(Bits, AStateOnDiskGoesOnAlike) {
  const TempFolder folder;
  const Config config = two_digits(32);
  const RunFiles files(folder.path());
  Team team(2);
  SavedState saved;
  saved.step = 10;
  saved.log.isa = "here";
  saved.log.config_hash = config_hash(config);
  {
    Trainer first(config, team);
    for (int i = 0; i < 10; ++i) first.step();
    files.save(first, saved, first.evaluated());
  }
  Trainer second(config, team);
  SavedState found;
  found.log.isa = "here";
  ASSERT_TRUE(files.restore(second, found, Weights(second.layout(), DType::f32)));
  second.resume_at(found.step);
  for (int i = 0; i < 10; ++i) second.step();
  std::vector<Tensor> resumed;
  for (const auto& [name, tensor] : second.state()) resumed.push_back(tensor);
  expect_same(resumed, trained(config, 1, 20));
}

/// Stopped at any step, a run ends with the files of one that never stopped.
TEST(Bits, AStoppedRunEndsWithTheSameFiles) {
  Config config = two_digits(32);
  config.train.eval_every = 8;
  expect_stops_unseen(config);
}

}  // namespace
}  // namespace heddle::testing
