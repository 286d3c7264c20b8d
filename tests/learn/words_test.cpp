// Tasks of words, made small: each is learned in seconds, on inputs that no step has shown.
#include <set>

#include <gtest/gtest.h>

#include "heddle/eval/score.hpp"
#include "heddle/model/member.hpp"
#include "heddle/task/registry.hpp"
#include "heddle/train/loop.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

Config small_task(TaskKind task) {
  Config config = default_config(task);
  config.task.lengths = "2-5";
  config.task.symbols = 8;
  config.model.d_model = 32;
  config.model.d_ff = 64;
  config.model.encoder_layers = config.model.decoder_layers = 1;
  config.train.batch = 64;
  config.train.steps = 600;
  config.train.warmup = 50;
  config.train.lr = 3e-3;
  config.train.eval_every = 200;
  return config;
}

/// The score on the test of a training in a folder of its own.
Score learned(const Config& config, std::set<std::string>& warnings) {
  validate(config);
  const TempFolder folder;
  Team team(2);
  TrainObserver observer;
  observer.warned = [&](const Warning& warning) { warnings.insert(warning.watchdog); };
  train_run(config, folder.path(), team, observer);
  const Member member = load_member(folder.path());
  const auto task = make_task(config);
  return score_questions(exam_setup(member, team), *task, "test", task->test());
}

const std::set<std::string> kNoWarnings;

TEST(LearnWords, Reverse) {
  std::set<std::string> warnings;
  const Score score = learned(small_task(TaskKind::reverse), warnings);
  EXPECT_GT(score.greedy.share(), 0.95);
  EXPECT_EQ(score.greedy, score.teacher_forced);
  EXPECT_EQ(score.disagreements, 0);
  EXPECT_EQ(warnings, kNoWarnings);
}

TEST(LearnWords, Sort) {
  std::set<std::string> warnings;
  const Score score = learned(small_task(TaskKind::sort), warnings);
  EXPECT_GT(score.greedy.share(), 0.97);
  EXPECT_EQ(score.disagreements, 0);
  EXPECT_EQ(warnings, kNoWarnings);
}

/// The pairs that train, by heart: the first thing that happens, long before the rule is found.
TEST(LearnWords, SumsModuloThirteenByHeart) {
  Config config = default_config(TaskKind::modular);
  config.task.modulus = 13;
  config.model.d_model = 32;
  config.model.d_ff = 128;
  config.train.batch = 128;
  config.train.steps = 400;
  config.train.weight_decay = 0;
  config.train.eval_every = 0;
  const TempFolder folder;
  Team team(2);
  train_run(config, folder.path(), team, {});
  const Member member = load_member(folder.path());
  const auto task = make_task(config);
  Questions trained;
  task->train_questions(0, trained);
  const Score score = score_questions(exam_setup(member, team), *task, "train", trained);
  EXPECT_GT(score.accuracy.share(), 0.95);
  EXPECT_FALSE(score.constant());
}

/// A rate of nothing leaves everything as it began: what is asked cannot be answered by chance.
TEST(LearnWords, WithoutARateNothingIsLearned) {
  Config config = small_task(TaskKind::reverse);
  config.train.steps = 20;
  config.train.lr = 1e-12;
  std::set<std::string> warnings;
  EXPECT_LT(learned(config, warnings).greedy.share(), 0.05);
}

}  // namespace
}  // namespace heddle::testing
