// See stats.hpp.
#include "heddle/lens/stats/stats.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"

namespace heddle {
namespace {

/// The x in [0, 1] at which an increasing function crosses `level`.
template <class F>
double crossing(const F& increasing, double level) {
  constexpr int kHalvings = 60;
  double low = 0, high = 1;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (increasing(middle) < level ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// Lentz's evaluation of the continued fraction of I_x(a, b), valid for x < (a+1)/(a+b+2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300, kEnough = 1e-15;
  constexpr int kMost = 10000;
  const auto guard = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double c = 1, d = 1 / guard(1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m < kMost; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guard(1 + even * d);
    c = guard(1 + even / c);
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guard(1 + odd * d);
    c = guard(1 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1) < kEnough) break;
  }
  return value;
}

/// P(X ≤ k) for X binomial(n, p).
double binomial_cdf(std::int64_t k, std::int64_t n, double p) {
  if (k >= n) return 1;
  if (k < 0) return 0;
  return regularised_beta(static_cast<double>(n - k), static_cast<double>(k + 1), 1 - p);
}

/// s/√n.
double standard_error(std::span<const double> values) {
  const double mean = mean_of(values), n = static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / (n - 1) / n);
}

/// The t with P(T ≤ t) = 0.975 at `freedom` degrees: P(|T| > t) = I_{ν/(ν+t²)}(ν/2, ½).
double t_quantile(double freedom) {
  constexpr double kTails = 0.05;
  const double x =
      crossing([&](double v) { return regularised_beta(freedom / 2, 0.5, v); }, kTails);
  return std::sqrt(freedom * (1 - x) / x);
}

std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    for (std::size_t k = i; k < end; ++k) ranks[order[k]] = static_cast<double>(i + end - 1) / 2;
    i = end;
  }
  return ranks;
}

}  // namespace

double regularised_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                   : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

Interval clopper_pearson(const Count& count, double alpha) {
  const std::int64_t k = count.correct, n = count.total;
  if (n == 0) return {};
  // P(X ≥ k) rises with p, P(X ≤ k) falls.
  const auto at_least = [&](double p) { return 1 - binomial_cdf(k - 1, n, p); };
  const auto more = [&](double p) { return 1 - binomial_cdf(k, n, p); };
  return {.low = k == 0 ? 0 : crossing(at_least, alpha / 2),
          .high = k == n ? 1 : crossing(more, 1 - alpha / 2)};
}

double Paired::difference() const {
  return total() == 0
             ? 0
             : static_cast<double>(first_only - second_only) / static_cast<double>(total());
}

Paired paired_counts(std::span<const std::uint8_t> first, std::span<const std::uint8_t> second) {
  check(first.size() == second.size(), "paired answers: {} against {}", first.size(),
        second.size());
  Paired paired;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const bool a = first[i] != 0, b = second[i] != 0;
    std::int64_t& cell =
        a ? (b ? paired.both : paired.first_only) : (b ? paired.second_only : paired.neither);
    ++cell;
  }
  return paired;
}

Interval newcombe(const Paired& paired, double z) {
  const auto n = paired.total();
  if (n == 0) return {.low = -1, .high = 1};
  const Count first{paired.both + paired.first_only, n},
      second{paired.both + paired.second_only, n};
  const Interval one = wilson(first, z), two = wilson(second, z);
  const auto a = static_cast<double>(paired.both), b = static_cast<double>(paired.first_only),
             c = static_cast<double>(paired.second_only), d = static_cast<double>(paired.neither);
  const double bottom = std::sqrt((a + b) * (c + d) * (a + c) * (b + d));
  double top = a * d - b * c;
  if (top > 0) top = std::max(top - static_cast<double>(n) / 2, 0.0);
  const double phi = bottom > 0 ? top / bottom : 0;
  const auto join = [phi](double x, double y) {
    return std::sqrt(std::max(0.0, x * x - 2 * phi * x * y + y * y));
  };
  const double p1 = first.share(), p2 = second.share(), difference = paired.difference();
  return {.low = difference - join(p1 - one.low, two.high - p2),
          .high = difference + join(one.high - p1, p2 - two.low)};
}

double sign_test(std::int64_t plus, std::int64_t minus) {
  if (plus + minus == 0) return 1;
  return std::min(1.0, 2 * binomial_cdf(std::min(plus, minus), plus + minus, 0.5));
}

double mcnemar(const Paired& paired) {
  return sign_test(paired.first_only, paired.second_only);
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> adjusted(p.size());
  double worst = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    worst = std::max(worst, p[order[i]] * static_cast<double>(p.size() - i));
    adjusted[order[i]] = std::min(1.0, worst);
  }
  return adjusted;
}

double mean_of(std::span<const double> values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Interval t_interval(std::span<const double> values) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (values.size() < 2) return {.low = -kInfinity, .high = kInfinity};
  const double mean = mean_of(values), freedom = static_cast<double>(values.size()) - 1;
  const double reach = t_quantile(freedom) * standard_error(values);
  return {.low = mean - reach, .high = mean + reach};
}

double t_test(std::span<const double> values) {
  const double error = values.size() < 2 ? 0 : standard_error(values);
  if (!(error > 0)) return std::numeric_limits<double>::quiet_NaN();
  const double t = mean_of(values) / error, freedom = static_cast<double>(values.size()) - 1;
  return regularised_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

Interval median_interval(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto n = static_cast<std::int64_t>(values.size());
  // [x₍ᵣ₊₁₎, x₍ₙ₋ᵣ₎] covers the median with probability 1 − 2·P(X ≤ r), X binomial(n, ½).
  std::int64_t r = 0;
  while (2 * (r + 1) < n && 2 * binomial_cdf(r + 1, n, 0.5) <= 0.05) ++r;
  if (2 * binomial_cdf(r, n, 0.5) > 0.05) return {.low = values.front(), .high = values.back()};
  return {.low = values[to_size(r)], .high = values[to_size(n - 1 - r)]};
}

double spearman(std::span<const double> a, std::span<const double> b) {
  check(a.size() == b.size(), "rank correlation: {} against {} values", a.size(), b.size());
  const std::vector<double> x = ranks_of(a), y = ranks_of(b);
  const double mx = mean_of(x), my = mean_of(y);
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

}  // namespace heddle
