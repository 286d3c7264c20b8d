// Data of addition: no leaks, no state, no surprise in its make-up.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/task/addition.hpp"
#include "heddle/task/census.hpp"

namespace heddle {
namespace {

Config config_of(DataSource source, std::int64_t digits = 3, std::uint64_t seed = 1) {
  Config config;
  config.task.source = source;
  config.task.digits = digits;
  config.task.carry_balance = 0;
  config.task.carry_fade = 0;
  config.train.batch = 256;
  config.train.steps = 1000;
  config.seed = seed;
  return config;
}

/// Operands as texts, the smaller first: knows nothing of canonical().
std::string pair_key(const Problem& problem) {
  const std::string text = problem_text(problem);
  const std::string a = text.substr(0, text.find('+'));
  const std::string b = text.substr(text.find('+') + 1);
  return std::min(a, b) + "+" + std::max(a, b);
}

std::vector<Problem> problems_at(const Addition& addition, Index step) {
  std::vector<Problem> problems;
  addition.train_problems(step, problems);
  return problems;
}

TEST(AdditionFixed, NoPairTwiceInEitherOrder) {
  const Addition addition(config_of(DataSource::fixed));
  EXPECT_EQ(addition.train().size(), 10000U);
  EXPECT_EQ(addition.validation().size(), 2000U);
  EXPECT_EQ(addition.test().size(), 2000U);
  std::map<std::string, int> seen;
  for (const auto split : {addition.train(), addition.validation(), addition.test()})
    for (const Problem& problem : split) {
      ++seen[pair_key(problem)];
      ASSERT_TRUE(problem.a[2] > 0 && problem.b[2] > 0) << problem_text(problem);
    }
  EXPECT_EQ(seen.size(), 14000U);
}

TEST(AdditionFixed, AnEpochHoldsEveryProblemOnceInAnOrderOfItsOwn) {
  const Addition addition(config_of(DataSource::fixed));
  std::vector<std::string> drawn;
  for (Index step = 0; step < 79; ++step)  // 20,224 problems: two epochs and a bit
    for (const Problem& problem : problems_at(addition, step))
      drawn.push_back(problem_text(problem));
  const std::vector<std::string> one(drawn.begin(), drawn.begin() + 10000);
  const std::vector<std::string> two(drawn.begin() + 10000, drawn.begin() + 20000);
  EXPECT_NE(one, two);
  std::vector<std::string> all;
  for (const Problem& problem : addition.train()) all.push_back(problem_text(problem));
  const auto sorted = [](std::vector<std::string> v) {
    std::ranges::sort(v);
    return v;
  };
  EXPECT_NE(one, all);
  EXPECT_EQ(sorted(one), sorted(all));
  EXPECT_EQ(sorted(two), sorted(all));
}

TEST(AdditionFixed, RefusedWhereThereAreTooFewProblems) {
  for (const std::string text : {"1 45", "2 4,095"}) {
    try {
      const Addition addition(config_of(DataSource::fixed, text[0] - '0'));
      FAIL();
    } catch (const UsageError& error) {
      EXPECT_EQ(std::string(error.what()),
                fmt::format("task.digits={} with task.source=fixed: only {} distinct problems "
                            "exist, 14,000 are needed; accepted is at least 3 digits, or "
                            "task.source=stream",
                            text.substr(0, 1), text.substr(2)));
    }
  }
}

TEST(AdditionStream, NeverYieldsWhatIsHeldOut) {
  Config config = config_of(DataSource::stream);
  config.task.carry_balance = 0.5;
  const Addition addition(config);
  EXPECT_TRUE(addition.train().empty());
  EXPECT_TRUE(addition.note().empty());
  std::map<std::string, int> held_out;
  for (const auto split : {addition.validation(), addition.test()})
    for (const Problem& problem : split) ++held_out[pair_key(problem)];
  EXPECT_EQ(held_out.size(), 4000U);
  Index drawn = 0;
  for (Index step = 0; drawn < 200000; ++step)
    for (const Problem& problem : problems_at(addition, step)) {
      ASSERT_FALSE(held_out.contains(pair_key(problem))) << problem_text(problem);
      ++drawn;
    }
}

TEST(AdditionStream, ReachesEverythingElse) {
  Config config = config_of(DataSource::stream, 1);
  const Addition addition(config);
  EXPECT_EQ(addition.validation().size(), 11U);
  EXPECT_EQ(addition.test().size(), 11U);
  EXPECT_EQ(
      addition.note(),
      "validation and test hold 11 pairs each instead of 2,000: a fifth of the 55 that exist");
  std::map<std::string, int> seen;
  for (Index step = 0; step < 20; ++step)
    for (const Problem& problem : problems_at(addition, step)) ++seen[pair_key(problem)];
  EXPECT_EQ(seen.size(), 33U);
  EXPECT_EQ(Addition(config_of(DataSource::stream, 2)).test().size(), 1010U);
}

TEST(AdditionStream, IsMadeUpAsAllPairsAre) {
  const Makeup makeup = Addition(config_of(DataSource::stream)).train_makeup();
  EXPECT_EQ(makeup.count, 10000);
  EXPECT_NEAR(makeup.share(makeup.by_carries[0]), 0.166, 0.02);
  EXPECT_NEAR(makeup.share(makeup.by_carries[3]), 0.136, 0.02);
  EXPECT_NEAR(makeup.share(makeup.cascades), 0.090, 0.015);
  const Addition fixed(config_of(DataSource::fixed));
  EXPECT_NEAR(fixed.train_makeup().share(fixed.train_makeup().by_carries[0]), 0.134, 0.02);
  EXPECT_NEAR(fixed.train_makeup().share(fixed.train_makeup().top_carries), 0.6044, 0.025);
}

TEST(AdditionStream, CarryBalanceFades) {
  Config config = config_of(DataSource::stream);
  config.task.carry_balance = 0.8;
  EXPECT_EQ(Addition(config).carry_balance(999), 0.8);
  config.task.carry_fade = 0.5;
  const Addition addition(config);
  EXPECT_EQ(addition.carry_balance(0), 0.8);
  EXPECT_DOUBLE_EQ(addition.carry_balance(250), 0.4);
  EXPECT_EQ(addition.carry_balance(500), 0);
  EXPECT_EQ(addition.carry_balance(999), 0);
  Makeup early(3);
  Makeup late(3);
  for (Index step = 0; step < 20; ++step) {
    for (const Problem& problem : problems_at(addition, step)) early.add(problem);
    for (const Problem& problem : problems_at(addition, 900 + step)) late.add(problem);
  }
  EXPECT_NEAR(early.share(early.cascades), 0.8 * 2 / 9 + 0.2 * 0.09, 0.03);
  EXPECT_NEAR(late.share(late.cascades), 0.09, 0.02);
}

TEST(AdditionData, AStepIsTheSameWhateverWasDrawnBefore) {
  for (const DataSource source : {DataSource::stream, DataSource::fixed}) {
    const Addition one(config_of(source));
    const Addition two(config_of(source));
    Batch batch;
    Batch other;
    for (Index step = 0; step < 45; ++step) one.train_batch(step, batch);
    for (const Index step : {39, 3, 39}) {  // 39: across the end of the first epoch
      one.train_batch(step, batch);
      two.train_batch(step, other);
      EXPECT_EQ(batch.source, other.source);
      EXPECT_EQ(batch.target_in, other.target_in);
      EXPECT_EQ(batch.target_out, other.target_out);
      Batch encoded;
      one.encoding().encode(problems_at(two, step), encoded);
      EXPECT_EQ(batch.source, encoded.source);
      EXPECT_EQ(batch.target_out, encoded.target_out);
    }
    one.train_batch(4, other);
    EXPECT_NE(batch.source, other.source);
  }
}

TEST(AdditionData, FillingABatchAgainAllocatesNothing) {
  const Addition addition(config_of(DataSource::stream));
  Batch batch;
  addition.train_batch(0, batch);
  const auto* source = batch.source.data();
  const auto* in = batch.target_in.data();
  const auto* out = batch.target_out.data();
  addition.encoding().encode(addition.validation().first(100), batch);
  EXPECT_EQ(batch.source.size(), 700U);
  addition.train_batch(1, batch);
  EXPECT_EQ(batch.source.data(), source);
  EXPECT_EQ(batch.target_in.data(), in);
  EXPECT_EQ(batch.target_out.data(), out);
}

TEST(AdditionData, SeedsAndSourcesHaveTheirOwnHash) {
  std::vector<std::string> hashes;
  for (const DataSource source : {DataSource::stream, DataSource::fixed})
    for (const std::uint64_t seed : {1U, 2U})
      hashes.push_back(Addition(config_of(source, 3, seed)).data_hash());
  Config balanced = config_of(DataSource::stream);
  balanced.task.carry_balance = 0.5;
  hashes.push_back(Addition(balanced).data_hash());
  EXPECT_EQ(hashes[0], Addition(config_of(DataSource::stream)).data_hash());
  EXPECT_EQ(hashes[0], "c1b9bafccac6007b");
  EXPECT_EQ(hashes[2], "f57d39e2d34d6e32");
  std::ranges::sort(hashes);
  EXPECT_EQ(std::ranges::adjacent_find(hashes), hashes.end());
}

TEST(AdditionData, ManyDigits) {
  for (const std::int64_t digits : {20, 40}) {
    for (const DataSource source : {DataSource::stream, DataSource::fixed}) {
      const Addition addition(config_of(source, digits));
      Batch batch;
      addition.train_batch(3, batch);
      EXPECT_EQ(batch.source_length, 2 * digits + 1);
      EXPECT_EQ(batch.target_length, digits + 2);
      for (const std::int32_t token : batch.source) ASSERT_TRUE(token >= 0 && token <= kPlus);
      EXPECT_EQ(addition.test().size(), 2000U);
      const Makeup makeup = makeup_of(addition.test(), addition.digits());
      EXPECT_EQ(makeup.count, 2000);
      EXPECT_NEAR(makeup.share(makeup.top_carries), source == DataSource::stream ? 0.5 : 0.605,
                  0.06);
    }
  }
}

TEST(AdditionData, SeenIsWhatTrainingDrew) {
  for (const DataSource source : {DataSource::stream, DataSource::fixed}) {
    const Addition addition(config_of(source));
    const SeenPairs seen = seen_in_training(addition, 50);
    std::map<std::string, int> drawn;
    for (Index step = 0; step < 50; ++step)
      for (const Problem& problem : problems_at(addition, step)) ++drawn[pair_key(problem)];
    Index ordered = 0;
    for (const auto& [key, times] : drawn) ordered += key.substr(0, 3) == key.substr(4) ? 1 : 2;
    EXPECT_EQ(seen.count(), ordered);
    for (const Problem& problem : addition.test()) ASSERT_FALSE(seen.contains(problem));
    for (const Problem& problem : problems_at(addition, 49)) ASSERT_TRUE(seen.contains(problem));
  }
}

}  // namespace
}  // namespace heddle
