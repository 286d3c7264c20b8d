// Data of addition: no leaks, no state, no surprise in its make-up.
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/base/text.hpp"
#include "heddle/task/addition/addition.hpp"
#include "heddle/task/addition/census.hpp"

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

/// The problems of steps `first` … `last − 1`.
std::vector<Problem> problems_of(const Addition& addition, Index first, Index last) {
  std::vector<Problem> all;
  for (Index step = first; step < last; ++step)
    for (const Problem& problem : problems_at(addition, step)) all.push_back(problem);
  return all;
}

using Keys = std::set<std::string>;

Keys keys_of(std::span<const Problem> problems) {
  Keys keys;
  for (const Problem& problem : problems) keys.insert(pair_key(problem));
  return keys;
}

/// Keys that two sets share.
std::vector<std::string> shared(const Keys& a, const Keys& b) {
  std::vector<std::string> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both;
}

const std::vector<std::string> kNothing;

TEST(AdditionFixed, NoPairTwiceInEitherOrder) {
  const Addition addition(config_of(DataSource::fixed));
  EXPECT_EQ(addition.train_set().size(), 10000U);
  EXPECT_EQ(addition.validation_problems().size(), 2000U);
  EXPECT_EQ(addition.test_problems().size(), 2000U);
  std::vector<Problem> all(addition.train_set().begin(), addition.train_set().end());
  for (const auto split : {addition.validation_problems(), addition.test_problems()})
    all.insert(all.end(), split.begin(), split.end());
  EXPECT_EQ(keys_of(all).size(), 14000U);
  EXPECT_TRUE(std::ranges::all_of(all, [](const Problem& p) { return p.a[2] > 0 && p.b[2] > 0; }));
}

TEST(AdditionFixed, AnEpochHoldsEveryProblemOnceInAnOrderOfItsOwn) {
  const Addition addition(config_of(DataSource::fixed));
  std::vector<std::string> drawn;
  for (const Problem& problem : problems_of(addition, 0, 79))  // two epochs and a bit
    drawn.push_back(problem_text(problem));
  const std::vector<std::string> one(drawn.begin(), drawn.begin() + 10000);
  const std::vector<std::string> two(drawn.begin() + 10000, drawn.begin() + 20000);
  EXPECT_NE(one, two);
  std::vector<std::string> all;
  for (const Problem& problem : addition.train_set()) all.push_back(problem_text(problem));
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
  EXPECT_TRUE(addition.train_set().empty());
  EXPECT_TRUE(addition.notes().empty());
  const Keys validation = keys_of(addition.validation_problems());
  const Keys test = keys_of(addition.test_problems());
  EXPECT_EQ(validation.size(), 2000U);
  EXPECT_EQ(test.size(), 2000U);
  EXPECT_EQ(shared(validation, test), kNothing);
  const Keys drawn = keys_of(problems_of(addition, 0, 800));  // 204,800 problems
  EXPECT_EQ(shared(drawn, validation), kNothing);
  EXPECT_EQ(shared(drawn, test), kNothing);
}

TEST(AdditionStream, ReachesEverythingElse) {
  Config config = config_of(DataSource::stream, 1);
  const Addition addition(config);
  EXPECT_EQ(addition.validation_problems().size(), 11U);
  EXPECT_EQ(addition.test_problems().size(), 11U);
  EXPECT_EQ(
      join(addition.notes(), "\n"),
      "validation and test hold 11 pairs each instead of 2,000: a fifth of the 55 that exist");
  EXPECT_EQ(keys_of(problems_of(addition, 0, 20)).size(), 33U);
  EXPECT_EQ(Addition(config_of(DataSource::stream, 2)).test_problems().size(), 1010U);
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
  const Makeup early = makeup_of(problems_of(addition, 0, 20), 3);
  const Makeup late = makeup_of(problems_of(addition, 900, 920), 3);
  EXPECT_NEAR(early.share(early.cascades), 0.8 * 2 / 9 + 0.2 * 0.09, 0.03);
  EXPECT_NEAR(late.share(late.cascades), 0.09, 0.02);
}

/// The step's tokens from a task that has served others before, a new one, and its problems.
void check_step(const Addition& used, const Config& config, Index step) {
  const Addition fresh(config);
  Batch batch;
  Batch other;
  Batch encoded;
  used.train_batch(step, batch);
  fresh.train_batch(step, other);
  used.encoding().encode(problems_at(fresh, step), encoded);
  EXPECT_EQ(batch.source, other.source);
  EXPECT_EQ(batch.target_in, other.target_in);
  EXPECT_EQ(batch.target_out, other.target_out);
  EXPECT_EQ(batch.source, encoded.source);
  EXPECT_EQ(batch.target_out, encoded.target_out);
}

TEST(AdditionData, AStepIsTheSameWhateverWasDrawnBefore) {
  for (const DataSource source : {DataSource::stream, DataSource::fixed}) {
    const Addition addition(config_of(source));
    const std::vector<Problem> before = problems_of(addition, 0, 45);
    for (const Index step : {39, 3, 39})  // 39: across the end of the first epoch
      check_step(addition, config_of(source), step);
    EXPECT_NE(problems_at(addition, 3), problems_at(addition, 4));
    EXPECT_EQ(problems_of(addition, 0, 45), before);
  }
}

TEST(AdditionData, FillingABatchAgainAllocatesNothing) {
  const Addition addition(config_of(DataSource::stream));
  Batch batch;
  addition.train_batch(0, batch);
  const auto* source = batch.source.data();
  const auto* in = batch.target_in.data();
  const auto* out = batch.target_out.data();
  addition.encoding().encode(addition.validation_problems().first(100), batch);
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

void check_many_digits(DataSource source, std::int64_t digits) {
  const Addition addition(config_of(source, digits));
  Batch batch;
  addition.train_batch(3, batch);
  EXPECT_EQ(batch.source_length, 2 * digits + 1);
  EXPECT_EQ(batch.target_length, digits + 2);
  EXPECT_TRUE(std::ranges::all_of(batch.source, [](auto t) { return t >= 0 && t <= kPlus; }));
  const Makeup makeup = makeup_of(addition.test_problems(), addition.digits());
  EXPECT_EQ(makeup.count, 2000);
  EXPECT_NEAR(makeup.share(makeup.top_carries), source == DataSource::stream ? 0.5 : 0.605, 0.06);
}

TEST(AdditionData, ManyDigits) {
  for (const std::int64_t digits : {20, 40}) {
    check_many_digits(DataSource::stream, digits);
    check_many_digits(DataSource::fixed, digits);
  }
}

void check_seen(const Addition& addition) {
  const SeenPairs seen = seen_in_training(addition, 50);
  const std::vector<Problem> drawn = problems_of(addition, 0, 50);
  Index ordered = 0;
  for (const std::string& key : keys_of(drawn))
    ordered += key.substr(0, 3) == key.substr(4) ? 1 : 2;
  EXPECT_EQ(seen.count(), ordered);
  const auto is_seen = [&](const Problem& problem) { return seen.contains(problem); };
  EXPECT_TRUE(std::ranges::none_of(addition.test_problems(), is_seen));
  EXPECT_TRUE(std::ranges::all_of(drawn, is_seen));
}

TEST(AdditionData, SeenIsWhatTrainingDrew) {
  check_seen(Addition(config_of(DataSource::stream)));
  check_seen(Addition(config_of(DataSource::fixed)));
}

}  // namespace
}  // namespace heddle
