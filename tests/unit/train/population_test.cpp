// Members trained together are the members trained alone, whatever the threads.
#include "heddle/train/population.hpp"

#include <atomic>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/base/file.hpp"
#include "heddle/train/watchdogs.hpp"
#include "tests/support/tiny_model.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

Config trained_config(std::uint64_t seed) {
  Config config = tiny_config();
  config.seed = seed;
  config.train.steps = 4;
  config.train.batch = 8;
  config.train.eval_every = 2;
  return config;
}

std::vector<Config> three_seeds() {
  return {trained_config(1), trained_config(2), trained_config(3)};
}

std::vector<std::string> folders(const TempFolder& folder, const std::string& name) {
  std::vector<std::string> runs;
  for (const char* seed : {"-1", "-2", "-3"}) runs.push_back(folder / (name + seed));
  return runs;
}

std::string weights_in(const std::string& run) {
  return read_file(run + "/model.safetensors");
}

TEST(TrainPopulation, MembersHaveTheBitsTheyHaveAlone) {
  const TempFolder folder;
  const std::vector<Config> members = three_seeds();
  const auto alone = folders(folder, "alone");
  Team team(1);
  for (std::size_t i = 0; i < members.size(); ++i)
    ASSERT_EQ(train_run(members[i], alone[i], team, {}), TrainOutcome::finished);
  for (const int threads : {1, 2, 7}) {
    const auto together = folders(folder, "together" + std::to_string(threads));
    const auto trained = train_population(members, {.runs = together, .threads = threads});
    for (std::size_t i = 0; i < members.size(); ++i) {
      EXPECT_EQ(trained[i]->outcome, TrainOutcome::finished);
      EXPECT_TRUE(weights_in(together[i]) == weights_in(alone[i])) << threads << " " << i;
    }
  }
}

TEST(TrainPopulation, TheLongestBeginFirstAndOneTeamTakesAllInTurn) {
  const TempFolder folder;
  std::vector<std::size_t> order;
  Team team(2);
  PopulationOptions options{.runs = folders(folder, "run"), .team = &team, .work = {1, 3, 2}};
  options.trained = [&](std::size_t member, const TrainedMember&, Team& own) {
    order.push_back(member);
    EXPECT_EQ(&own, &team);
  };
  (void)train_population(three_seeds(), options);
  EXPECT_EQ(order, (std::vector<std::size_t>{1, 2, 0}));
}

TEST(TrainPopulation, WhoIsSkippedOrHasWeightsIsNotTrained) {
  const TempFolder folder;
  std::vector<std::size_t> seen;
  PopulationOptions options{.runs = folders(folder, "run"), .threads = 1};
  options.turn = [](std::size_t member) {
    return member == 0   ? MemberTurn::skip
           : member == 1 ? MemberTurn::has_weights
                         : MemberTurn::train;
  };
  options.trained = [&](std::size_t member, const TrainedMember&, Team&) {
    seen.push_back(member);
  };
  const auto trained = train_population(three_seeds(), options);
  EXPECT_EQ(seen, (std::vector<std::size_t>{1, 2}));
  EXPECT_FALSE(trained[0].has_value());
  EXPECT_EQ(trained[1]->outcome, TrainOutcome::was_finished);
  EXPECT_FALSE(folder_exists(options.runs[1]));
  EXPECT_TRUE(file_exists(options.runs[2] + "/model.safetensors"));
}

TEST(TrainPopulation, AStopIsTheSameAsNoStop) {
  const TempFolder folder;
  const std::vector<Config> members = three_seeds();
  const auto whole = folders(folder, "whole"), parts = folders(folder, "parts");
  (void)train_population(members, {.runs = whole});
  std::atomic<int> steps{0};
  PopulationOptions options{.runs = parts, .threads = 2};
  options.observer = [&](std::size_t) {
    TrainObserver observer;
    observer.stop = [&] { return steps++ == 0; };
    return observer;
  };
  options.trained = [](std::size_t, const TrainedMember& how, Team&) {
    EXPECT_NE(how.outcome, TrainOutcome::stopped);
  };
  const auto first = train_population(members, options);
  int stopped = 0;
  for (const auto& how : first) stopped += how && how->outcome == TrainOutcome::stopped ? 1 : 0;
  EXPECT_EQ(stopped, 1);
  (void)train_population(members, options);
  for (std::size_t i = 0; i < members.size(); ++i)
    EXPECT_TRUE(weights_in(parts[i]) == weights_in(whole[i])) << i;
}

TEST(TrainPopulation, ADivergedTrainingIsAnErrorUnlessItIsKept) {
  const TempFolder folder;
  Config wild = trained_config(1);
  wild.train.lr = 1e38;
  wild.train.warmup = 0;
  wild.train.steps = 20;
  const std::vector<Config> members{wild, trained_config(2), trained_config(3)};
  EXPECT_THROW((void)train_population(members, {.runs = folders(folder, "error")}),
               TrainingDiverged);
  PopulationOptions options{.runs = folders(folder, "kept"), .threads = 2};
  options.keep_diverged = true;
  const auto trained = train_population(members, options);
  EXPECT_NE(trained[0]->diverged.find("diverged"), std::string::npos);
  EXPECT_EQ(trained[1]->diverged, "");
}

TEST(TrainPopulation, EveryMemberNeedsAFolder) {
  EXPECT_THROW((void)train_population(three_seeds(), {.runs = {"one"}}), Error);
  EXPECT_THROW((void)train_population(three_seeds(), {.runs = {"a", "b", "c"}, .work = {1}}),
               Error);
  EXPECT_TRUE(train_population({}, {.runs = {}}).empty());
}

}  // namespace
}  // namespace heddle::testing
