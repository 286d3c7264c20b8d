// Intervals and tests against values known in closed form, and coverage by simulation.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/lens/stats/stats.hpp"

namespace heddle {
namespace {

TEST(PairedStats, BetaFunctionInClosedForm) {
  EXPECT_NEAR(regularised_beta(2, 3, 0.5), 0.6875, 1e-14);
  EXPECT_NEAR(regularised_beta(1, 1, 0.3), 0.3, 1e-14);
  EXPECT_NEAR(regularised_beta(5, 1, 0.9), std::pow(0.9, 5), 1e-14);
  EXPECT_EQ(regularised_beta(2, 2, 0), 0);
  EXPECT_EQ(regularised_beta(2, 2, 1), 1);
}

TEST(PairedStats, ClopperPearsonAtItsEnds) {
  // k = n: the lower end solves pⁿ = α/2.
  for (const std::int64_t n : {12, 30, 59})
    EXPECT_NEAR(clopper_pearson({n, n}, 0.1).low, std::pow(0.05, 1.0 / static_cast<double>(n)),
                1e-12);
  EXPECT_GT(clopper_pearson({59, 59}, 0.1).low, 0.95);
  EXPECT_EQ(clopper_pearson({59, 59}).high, 1);
  EXPECT_NEAR(clopper_pearson({0, 10}).high, 1 - std::pow(0.025, 0.1), 1e-12);
  EXPECT_EQ(clopper_pearson({0, 10}).low, 0);
  EXPECT_EQ(clopper_pearson({0, 0}).high, 1);
}

TEST(PairedStats, McNemarSumsTheBinomialTail) {
  EXPECT_NEAR(mcnemar({.both = 7, .first_only = 5, .second_only = 0, .neither = 3}), 2.0 / 32,
              1e-13);
  EXPECT_NEAR(mcnemar({.both = 0, .first_only = 10, .second_only = 2, .neither = 0}),
              2.0 * (1 + 12 + 66) / 4096, 1e-13);
  EXPECT_EQ(mcnemar({.both = 9, .first_only = 0, .second_only = 0, .neither = 1}), 1);
  EXPECT_EQ(sign_test(3, 3), 1);
}

TEST(PairedStats, PairsAreTold) {
  const std::vector<std::uint8_t> a{1, 1, 1, 0, 0}, b{1, 0, 0, 1, 0};
  const Paired paired = paired_counts(a, b);
  EXPECT_EQ(paired.both, 1);
  EXPECT_EQ(paired.first_only, 2);
  EXPECT_EQ(paired.second_only, 1);
  EXPECT_EQ(paired.neither, 1);
  EXPECT_DOUBLE_EQ(paired.difference(), 0.2);
  EXPECT_THROW(paired_counts(a, std::vector<std::uint8_t>{1}), Error);
}

/// Share of simulated samples whose interval holds the true difference.
double coverage(double both, double first_only, double second_only, int n) {
  constexpr int kSamples = 2000;
  int hits = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    Rng rng(1, "coverage", static_cast<std::uint64_t>(sample));
    Paired paired;
    for (int i = 0; i < n; ++i) {
      const double u = rng.uniform();
      std::int64_t& cell = u < both                              ? paired.both
                           : u < both + first_only               ? paired.first_only
                           : u < both + first_only + second_only ? paired.second_only
                                                                 : paired.neither;
      ++cell;
    }
    const Interval interval = newcombe(paired);
    const double truth = first_only - second_only;
    hits += interval.low <= truth && truth <= interval.high ? 1 : 0;
  }
  return static_cast<double>(hits) / kSamples;
}

TEST(PairedStats, NewcombeCoversWhatItPromises) {
  EXPECT_NEAR(coverage(0.6, 0.2, 0.1, 100), 0.95, 0.02);
  EXPECT_NEAR(coverage(0.3, 0.1, 0.1, 60), 0.955, 0.025);
  EXPECT_NEAR(coverage(0.85, 0.12, 0.01, 300), 0.95, 0.02);
}

TEST(PairedStats, NewcombeOfEqualAnswersHoldsZero) {
  const Interval interval =
      newcombe({.both = 2000, .first_only = 0, .second_only = 0, .neither = 0});
  EXPECT_LT(interval.low, 0);
  EXPECT_GT(interval.high, 0);
  EXPECT_NEAR(interval.high, 0.0019, 2e-4);  // about 3.84 / 2000: Wilson's end for 2000 of 2000
}

TEST(PairedStats, HolmStepsDown) {
  const std::vector<double> p{0.01, 0.04, 0.03, 0.9};
  const std::vector<double> adjusted = holm(p);
  EXPECT_DOUBLE_EQ(adjusted[0], 0.04);
  EXPECT_DOUBLE_EQ(adjusted[2], 0.09);
  EXPECT_DOUBLE_EQ(adjusted[1], 0.09);  // never less than a smaller p's
  EXPECT_DOUBLE_EQ(adjusted[3], 0.9);
}

TEST(PairedStats, StudentsInterval) {
  const std::vector<double> two{0, 2};  // mean 1, s/√n = 1, t = 12.706 at one degree
  EXPECT_NEAR(t_interval(two).high, 1 + 12.7062047, 1e-6);
  std::vector<double> ten;
  for (int i = 0; i < 10; ++i) ten.push_back(i);
  EXPECT_NEAR(t_interval(ten).low, 4.5 - 2.2621572 * std::sqrt(82.5 / 9 / 10), 1e-6);
  EXPECT_EQ(t_interval(std::vector<double>{1}).high, std::numeric_limits<double>::infinity());
}

TEST(PairedStats, MedianAndItsOrderStatistics) {
  EXPECT_DOUBLE_EQ(median_of({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median_of({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median_interval({5, 1, 2}).low, 1);  // too few for 95 %: the range
  std::vector<double> nine;
  for (int i = 1; i <= 9; ++i) nine.push_back(i);
  // P(X ≤ 1) = 10/512 ≤ .025 < P(X ≤ 2): the second and the eighth.
  EXPECT_EQ(median_interval(nine).low, 2);
  EXPECT_EQ(median_interval(nine).high, 8);
}

TEST(PairedStats, RankCorrelation) {
  const std::vector<double> a{1, 2, 3, 4}, up{10, 20, 30, 100}, down{4, 3, 2, 1}, flat{1, 1, 1, 1};
  EXPECT_DOUBLE_EQ(spearman(a, up), 1);
  EXPECT_DOUBLE_EQ(spearman(a, down), -1);
  EXPECT_EQ(spearman(a, flat), 0);
  const std::vector<double> ties{1, 1, 2, 2};
  EXPECT_NEAR(spearman(a, ties), 2 / std::sqrt(5.0), 1e-12);
}

}  // namespace
}  // namespace heddle
