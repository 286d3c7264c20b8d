// What a sweep makes of its members' numbers, on numbers whose answers are known.
#include <cmath>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/lens/stats/stats.hpp"
#include "heddle/study/sweep/contrasts.hpp"
#include "heddle/study/sweep/summary.hpp"
#include "tests/support/report/sweep_fixture.hpp"

namespace heddle {
namespace {

using testing::made_up_sweep;
using testing::MadeUp;

constexpr double kT2 = 4.302652729911275;  // t₀.₉₇₅ at two degrees of freedom

const SweepEstimate& estimate(const SweepStudy& study, std::size_t cell,
                              const std::string& measure) {
  for (const SweepEstimate& one : study.cells[cell].estimates)
    if (one.measure == measure) return one;
  throw Error("no such estimate");
}

const SweepContrast& contrast(const SweepStudy& study, const std::string& setting,
                              const std::string& better, const std::string& other,
                              const std::string& measure = "far") {
  for (const SweepContrast& one : study.contrasts)
    if (one.setting == setting && one.better == better && one.other == other &&
        one.measure == measure)
      return one;
  throw Error("no such contrast: " + better + " before " + other);
}

TEST(SweepSummary, ACellIsItsMeanOverSeedsWithStudentsInterval) {
  const SweepStudy study =
      made_up_sweep({.axes = {{"model.position", {"alibi"}}}, .right = {{700, 800, 750}}});
  const SweepEstimate& far = estimate(study, 0, "far");
  EXPECT_EQ(far.seeds, 3);
  EXPECT_DOUBLE_EQ(far.mean, 0.75);
  const double reach = kT2 * 0.05 / std::sqrt(3.0);  // the deviation of .70 .80 .75 is .05
  EXPECT_NEAR(far.low, 0.75 - reach, 1e-10);
  EXPECT_NEAR(far.high, 0.75 + reach, 1e-10);
  EXPECT_EQ(far.over, IntervalOver::seeds);
  EXPECT_DOUBLE_EQ(far.worst, 0.7);
  EXPECT_EQ(far.worst_seed, 1U);
  EXPECT_DOUBLE_EQ(far.best, 0.8);
  EXPECT_EQ(far.above_chance, 3);
  EXPECT_EQ(far.complete, 0);
}

TEST(SweepSummary, AnIntervalStaysBetweenNoneAndAll) {
  const SweepStudy study = made_up_sweep(
      {.axes = {{"model.position", {"alibi", "rope"}}}, .right = {{1000, 1000, 700}, {0, 0, 300}}});
  EXPECT_EQ(estimate(study, 0, "far").high, 1);
  EXPECT_EQ(estimate(study, 1, "far").low, 0);
  EXPECT_EQ(estimate(study, 0, "far").complete, 2);
}

TEST(SweepSummary, OneSeedHasAnIntervalOverProblems) {
  const SweepStudy study =
      made_up_sweep({.axes = {{"model.position", {"alibi"}}}, .right = {{530}}});
  const SweepEstimate& far = estimate(study, 0, "far");
  EXPECT_EQ(far.over, IntervalOver::problems);
  const Interval expected = wilson({.correct = 530, .total = 1000});
  EXPECT_EQ(far.low, expected.low);
  EXPECT_EQ(far.high, expected.high);
  EXPECT_EQ(far.above_chance, 0) << "530 of 1000 may be a coin";
}

TEST(SweepSummary, SeedsThatAgreeSayNothingAboutSpread) {
  const SweepStudy study = made_up_sweep({.axes = {{"model.position", {"alibi", "rope"}}},
                                          .right = {{900, 900, 900}, {500, 500, 500}}});
  const SweepEstimate& far = estimate(study, 0, "far");
  EXPECT_EQ(far.over, IntervalOver::problems);
  EXPECT_LT(far.low, 0.9);
  EXPECT_GT(far.high, 0.9);
  const SweepContrast& apart = contrast(study, "model.position", "alibi", "rope");
  EXPECT_EQ(apart.over, IntervalOver::problems);
  EXPECT_TRUE(std::isnan(apart.p));
  EXPECT_LT(apart.low, 0.4);
  EXPECT_GT(apart.high, 0.4);
  EXPECT_TRUE(apart.told_apart);
}

TEST(SweepSummary, AboveChanceIsByTheWholeInterval) {
  // Wilson's lower limit of k of n is above ½ from k/n − ½ > z/2√n on: .0310 of 1,000.
  const SweepStudy study =
      made_up_sweep({.axes = {{"model.position", {"alibi"}}}, .right = {{530, 531, 532}}});
  EXPECT_EQ(estimate(study, 0, "far").above_chance, 2);
}

TEST(SweepSummary, WithoutAChanceNobodyIsAboveIt) {
  MadeUp made{.axes = {{"model.position", {"alibi"}}}, .right = {{1000, 999, 998}}};
  made.chance = -1;
  const SweepStudy study = made_up_sweep(made);
  EXPECT_EQ(estimate(study, 0, "far").above_chance, 0);
  EXPECT_EQ(estimate(study, 0, "far").complete, 1);
}

TEST(SweepContrasts, PairsShareEverythingButOneSetting) {
  // Differences alibi − rope: with mean .10 .12 .14, with max .20 .20 .26 by seed. Within seeds
  // .15 .16 .20: mean .17, deviation .026457513.
  const SweepStudy study = made_up_sweep(
      {.axes = {{"model.position", {"rope", "alibi"}}, {"model.pooling", {"mean", "max"}}},
       .right = {{500, 500, 500}, {600, 600, 600}, {600, 620, 640}, {800, 800, 860}}});
  const SweepContrast& position = contrast(study, "model.position", "alibi", "rope");
  EXPECT_EQ(position.pairs, 6);
  EXPECT_EQ(position.ahead, 6);
  EXPECT_EQ(position.behind, 0);
  EXPECT_EQ(position.seeds, 3);
  EXPECT_NEAR(position.difference, 0.17, 1e-12);
  const double error = 0.026457513110645905 / std::sqrt(3.0);
  EXPECT_NEAR(position.low, 0.17 - kT2 * error, 1e-9);
  EXPECT_NEAR(position.high, 0.17 + kT2 * error, 1e-9);
  EXPECT_NEAR(position.better_mean, 0.72, 1e-12);
  EXPECT_NEAR(position.other_mean, 0.55, 1e-12);
  // At two degrees of freedom P(|T| > t) = 1 − t/√(2 + t²).
  const double t = 0.17 / error;
  EXPECT_NEAR(position.p, 1 - t / std::sqrt(2 + t * t), 1e-9);
  EXPECT_EQ(position.p_holm, position.p) << "one pair of alternatives: nothing to adjust";
  EXPECT_TRUE(position.told_apart);
  const SweepContrast& pooling = contrast(study, "model.pooling", "max", "mean");
  EXPECT_NEAR(pooling.difference, (0.1 * 3 + 0.2 + 0.18 + 0.22) / 6, 1e-12);
}

TEST(SweepContrasts, ManyAlternativesAreAdjusted) {
  const SweepStudy study =
      made_up_sweep({.axes = {{"model.position", {"a", "b", "c"}}},
                     .right = {{700, 720, 740}, {690, 700, 740}, {600, 640, 620}}});
  ASSERT_EQ(study.contrasts.size(), 3U * study.measures.size());
  std::vector<double> p, adjusted;
  for (const SweepContrast& one : study.contrasts)
    if (one.measure == "far") {
      p.push_back(one.p);
      adjusted.push_back(one.p_holm);
    }
  EXPECT_EQ(adjusted, holm(p));
  for (const SweepContrast& one : study.contrasts)
    EXPECT_EQ(one.told_apart, one.p_holm < 0.05) << one.better << one.other;
}

TEST(SweepContrasts, TheBetterAlternativeComesFirst) {
  const SweepStudy study = made_up_sweep(
      {.axes = {{"model.position", {"low", "high"}}}, .right = {{600, 650, 700}, {700, 700, 690}}});
  const SweepContrast& one = contrast(study, "model.position", "high", "low");
  EXPECT_GT(one.difference, 0);
  EXPECT_LT(one.low, one.difference);
  EXPECT_GT(one.high, one.difference);
  EXPECT_EQ(one.ahead, 2);
  EXPECT_EQ(one.behind, 1);
}

TEST(SweepSummary, AMeasureThatSomeLackIsNotTheMainOne) {
  MadeUp made{.axes = {{"model.position", {"alibi", "learned"}}},
              .right = {{700, 710, 720}, {600, 610, 620}}};
  made.lacks_far = {1};
  const SweepStudy study = made_up_sweep(made);
  EXPECT_EQ(study.measures, (std::vector<std::string>{"far", "near"}));
  EXPECT_EQ(study.main, "near");
  EXPECT_EQ(study.cells[1].estimates.size(), 1U);
  for (const SweepContrast& one : study.contrasts) EXPECT_EQ(one.measure, "near");
}

TEST(SweepSummary, AMeasureThatNobodyHasLearnedIsNotTheMainOne) {
  // "near" adds half of what is missing: far above chance.
  const SweepStudy study = made_up_sweep({.axes = {{"model.position", {"alibi", "rope"}}},
                                          .right = {{510, 490, 530}, {500, 500, 520}}});
  EXPECT_EQ(study.main, "near");
  const SweepStudy learned = made_up_sweep({.axes = {{"model.position", {"alibi", "rope"}}},
                                            .right = {{510, 490, 531}, {500, 500, 520}}});
  EXPECT_EQ(learned.main, "far") << "one member is enough";
  const SweepStudy nobody = made_up_sweep(
      {.axes = {{"model.position", {"alibi", "rope"}}}, .right = {{0, 10, 20}, {0, 10, 20}}});
  EXPECT_EQ(nobody.main, "far") << "nothing was learned: the first one";
}

TEST(SweepSummary, ATrainingThatDivergedIsCountedAndLeftOut) {
  MadeUp made{.axes = {{"train.lr", {"1", "0.001"}}}, .right = {{700, 710, -1}, {600, 610, 620}}};
  const SweepStudy study = made_up_sweep(made);
  EXPECT_EQ(study.main, "far");
  EXPECT_EQ(study.cells[0].failed, 1);
  EXPECT_EQ(study.cells[0].seeds, 3);
  EXPECT_EQ(estimate(study, 0, "far").seeds, 2);
  EXPECT_EQ(contrast(study, "train.lr", "1", "0.001").pairs, 2);
}

TEST(Stats, StudentsTestHasKnownValues) {
  EXPECT_NEAR(t_test(std::vector<double>{1, 2, 3}), 1 - std::sqrt(12.0 / 14), 1e-12);  // t² = 12
  EXPECT_NEAR(t_test(std::vector<double>{-1, -2, -3}), 1 - std::sqrt(12.0 / 14), 1e-12);
  EXPECT_NEAR(t_test(std::vector<double>{-1, 1}), 1, 1e-12);
  EXPECT_TRUE(std::isnan(t_test(std::vector<double>{1, 1, 1})));
  EXPECT_TRUE(std::isnan(t_test(std::vector<double>{1})));
}

}  // namespace
}  // namespace heddle
