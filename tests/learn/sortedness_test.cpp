// Sortedness in seconds: the tuned recipe, made small, tells sorted from shuffled; the reports'
// recipe stays where its labels are, and the watchdogs say so.
#include <set>

#include <gtest/gtest.h>

#include "heddle/config/presets.hpp"
#include "heddle/train/loop.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

struct TrainedSorter {
  std::set<std::string> warnings;
  LogRow last;
};

TrainedSorter train_sorter(const Config& config) {
  validate(config);
  const TempFolder folder;
  Team team(2);
  TrainedSorter out;
  TrainObserver observer;
  observer.warned = [&](const Warning& warning) { out.warnings.insert(warning.watchdog); };
  observer.validated = [&](const LogRow& row) { out.last = row; };
  train_run(config, folder.path(), team, observer);
  return out;
}

TEST(LearnSortedness, SortedAgainstShuffled) {
  Config config = default_config(TaskKind::sortedness);
  config.task.kinds = "shuffle";
  config.task.values = ValueKind::uniform;
  config.model.d_model = 32;
  config.model.d_ff = 64;
  config.train.steps = 600;
  config.train.warmup = 50;
  config.train.lr = 3e-3;
  config.train.eval_every = 300;
  const TrainedSorter trained = train_sorter(config);
  EXPECT_GT(trained.last.accuracy.share(), 0.95);
  EXPECT_LT(trained.last.validation_loss, 0.2);
  EXPECT_EQ(trained.warnings, std::set<std::string>{});
}

/// Post-norm, four layers, no warm-up, a high rate.
TEST(LearnSortedness, TheReportedRecipeStaysOnThePlateauSlow) {
  Config config = preset("as-reported", TaskKind::sortedness);
  config.train.steps = 80;
  config.train.eval_every = 40;
  const TrainedSorter trained = train_sorter(config);
  EXPECT_TRUE(trained.warnings.contains("plateau") ||
              trained.warnings.contains("constant predictor"));
  EXPECT_LT(trained.last.accuracy.share(), 0.6);
}

/// A rate of nothing leaves everything as it began.
TEST(LearnSortedness, WithoutARateNothingIsLearned) {
  Config config = default_config(TaskKind::sortedness);
  config.model.d_model = 16;
  config.model.d_ff = 32;
  config.train.steps = 50;
  config.train.lr = 1e-12;
  EXPECT_NEAR(train_sorter(config).last.accuracy.share(), 0.5, 0.1);
}

}  // namespace
}  // namespace heddle::testing
