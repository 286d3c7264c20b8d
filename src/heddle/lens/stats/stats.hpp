// Intervals and tests for what was counted on a sample or over seeds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heddle/eval/interval.hpp"
#include "heddle/record/score.hpp"

namespace heddle {

/// Exact interval for a share (Clopper and Pearson): the values of p that neither tail test at
/// α/2 refutes.
Interval clopper_pearson(const Count& count, double alpha = 0.05);

/// The same problems answered twice.
struct Paired {
  std::int64_t both = 0, first_only = 0, second_only = 0, neither = 0;

  std::int64_t total() const { return both + first_only + second_only + neither; }
  /// Share of the first less share of the second.
  double difference() const;
};
Paired paired_counts(std::span<const std::uint8_t> first, std::span<const std::uint8_t> second);

/// Newcombe's interval (1998, method 10) for the difference of two paired shares: Wilson's limits
/// of each, joined with the correlation φ of the pairs.
Interval newcombe(const Paired& paired, double z = kZ95);

/// Exact McNemar test, two-sided: 2·P(X ≤ min) for X binomial(first_only + second_only, ½).
double mcnemar(const Paired& paired);
/// The same for any counts of signs.
double sign_test(std::int64_t plus, std::int64_t minus);

/// Holm's step-down adjustment: sorted ascending, p₍ᵢ₎·(m − i), never decreasing, at most 1.
std::vector<double> holm(std::span<const double> p);

double mean_of(std::span<const double> values);
/// The middle value, or the mean of the two middle ones; 0 for none.
double median_of(std::vector<double> values);

/// Student's interval for a mean over seeds: x̄ ± t₀.₉₇₅,ₙ₋₁ s/√n. One value: (−∞, ∞).
Interval t_interval(std::span<const double> values);
/// Student's test that a mean over seeds is 0, two-sided: P(|T| ≥ |x̄|√n/s). Not a number where
/// there is no spread to compare with.
double t_test(std::span<const double> values);
/// Exact interval for a median: order statistics whose coverage is at least 95 %; with fewer than
/// six values there is none, and the interval is the range.
Interval median_interval(std::vector<double> values);

/// Rank correlation; equal values share their mean rank. 0 where one side is constant.
double spearman(std::span<const double> a, std::span<const double> b);

/// I_x(a, b), the regularised incomplete beta function, by its continued fraction.
double regularised_beta(double a, double b, double x);

}  // namespace heddle
