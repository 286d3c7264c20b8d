// Verdicts by token: noisy-or against its formula in long double, far out on both sides; maximum
// and log-sum-exp.
#include "heddle/ops/pooling/pool_verdicts.hpp"

#include <array>

#include <gtest/gtest.h>

#include "heddle/autograd/gradcheck.hpp"
#include "heddle/ops/arithmetic.hpp"
#include "tests/support/ops/op_cases.hpp"
#include "tests/support/ops/pool_rows.hpp"
#include "tests/support/tensors.hpp"

namespace heddle::testing {
namespace {

/// ln P(unsorted), ln P(sorted), for probabilities 1/(1 + e^(−s)) of each token to object.
std::array<double, 2> naive_noisy_or(const std::vector<double>& s) {
  long double u = 0;
  for (const double each : s) u += std::log1p(std::exp(static_cast<long double>(each)));
  const long double unsorted = u < 1 ? std::log(-std::expm1(-u)) : std::log1p(-std::exp(-u));
  return {static_cast<double>(unsorted), static_cast<double>(-u)};
}

Tensor row_of(const std::vector<double>& s, DType dtype) {
  return converted(tensor_of({1, std::ssize(s)}, s), dtype);
}

/// u is a sum of n terms in double: an error of at most (n + 4) units of u, which ln(1 − e^(−u))
/// passes on divided by e^u − 1; then one rounding to the type of the result, which ends at 1e-45.
void expect_near(const Tensor& found, const std::array<double, 2>& expected, std::size_t n) {
  const bool narrow = found.dtype() == DType::f32;
  const double u = -expected[1], error = static_cast<double>(n + 4) * kUnit64 * u;
  const std::array<double, 2> passed_on{u > 0 ? error / std::expm1(u) : 0, error};
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(numbers_of(found)[i], expected[i],
                2 * (narrow ? kUnit : kUnit64) * std::abs(expected[i]) + passed_on[i] +
                    (narrow ? 1e-45 : 0))
        << "index " << i;
}

TEST(NoisyOr, FollowsTheFormula) {
  const std::vector<std::vector<double>> rows{{-1.5, 0.25, 2},
                                              {-60},
                                              {60},
                                              {-60, 60, -3},
                                              std::vector<double>(4096, -60),
                                              std::vector<double>(4096, 60),
                                              std::vector<double>(4096, -3),
                                              std::vector<double>(16, -20)};
  for (const std::vector<double>& s : rows)
    for (const DType dtype : {DType::f32, DType::f64})
      expect_near(noisy_or(Var{row_of(s, dtype)}, nullptr).value, naive_noisy_or(s), s.size());
}

TEST(NoisyOr, HoldsWhereChancesUnderflow) {
  for (const DType dtype : {DType::f32, DType::f64}) {
    const Tensor faint = noisy_or(Var{row_of({-900, -900}, dtype)}, nullptr).value;
    expect_near(faint, {-900 + std::log(2.0), -0.0}, 2);
    const Tensor loud = noisy_or(Var{row_of({900, -900}, dtype)}, nullptr).value;
    expect_near(loud, {0, -900}, 2);
  }
}

/// ∂ ln P(unsorted)/∂s_t of n equal tokens: 1/n while all are quiet, 0 once they are loud.
/// ∂ ln P(sorted)/∂s_t: −σ(s_t).
TEST(NoisyOr, GradientsFarOut) {
  for (const double s : {-900.0, -60.0, 60.0, 900.0})
    for (const Index index : {0, 1}) {
      constexpr Index kTokens = 4096;
      const std::vector<Tensor> leaves{tensor_of({1, kTokens}, std::vector<double>(kTokens, s))};
      Tensor pick = Tensor::zeros({1, 2}, DType::f64);
      pick.write<double>()[index] = 1;
      const auto gradient = tape_gradients(leaves, [&](std::span<const Var> v) {
        return weighted_sum(noisy_or(v[0], nullptr), pick);
      });
      const double quiet = index == 0 ? 1.0 / kTokens : -std::exp(s);
      const double expected = s < 0 ? quiet : -static_cast<double>(index);
      for (const double g : numbers_of(gradient[0])) EXPECT_NEAR(g, expected, 1e-12);
    }
}

TEST(NoisyOr, ChancesAddUpToOne) {
  for (const double s : {-12.0, -3.0, 0.0, 4.0}) {
    const auto y = numbers_of(noisy_or(Var{row_of({s, -2, s}, DType::f64)}, nullptr).value);
    EXPECT_NEAR(std::exp(y[0]) + std::exp(y[1]), 1, 4 * kUnit64);
  }
}

TEST(TokenMax, TheMostCertainTokenDecides) {
  const Tensor s = tensor_of({2, 3}, {-4, 2, 2, -5, -6, -7});
  EXPECT_EQ(numbers_of(token_max(Var{s}, nullptr).value), (std::vector<double>{1, -1, -2.5, 2.5}));
  const std::vector<Tensor> leaves{s};
  const auto g = numbers_of(tape_gradients(
      leaves, [](std::span<const Var> v) { return reduced(token_max(v[0], nullptr)); })[0]);
  EXPECT_NE(g[1], 0);  // of equals the first
  EXPECT_NE(g[3], 0);
  EXPECT_EQ((std::vector<double>{g[0], g[2], g[4], g[5]}), std::vector<double>(4, 0));
}

TEST(TokenMax, NaNDoesNotVanish) {
  const Tensor s = tensor_of({1, 3}, {1, std::nan(""), 2});
  EXPECT_TRUE(std::isnan(numbers_of(token_max(Var{s}, nullptr).value)[0]));
}

TEST(TokenLse, EqualTokensAddTheirLogarithm) {
  for (const double s : {-800.0, 0.5, 800.0}) {
    const Tensor row = tensor_of({1, 4096}, std::vector<double>(4096, s));
    const auto y = numbers_of(token_lse(Var{row}, nullptr).value);
    const double expected = (s + std::log(4096.0)) / 2;
    EXPECT_NEAR(y[0], expected, 4 * kUnit64 * std::abs(expected));
    EXPECT_EQ(y[1], -y[0]);
  }
}

TEST(TokenVerdicts, PaddingChangesNothing) {
  for (const PoolOp pool : {noisy_or, token_max, token_lse}) expect_padding_ignored(pool, {1, 5});
}

TEST(TokenVerdicts, OrderChangesNothing) {
  const Tensor s = random_tensor({1, 33}, "s", 6), turned = turned_round(s);
  EXPECT_TRUE(same_bits(token_max(Var{s}, nullptr).value, token_max(Var{turned}, nullptr).value));
  for (const PoolOp pool : {noisy_or, token_lse}) {
    const Tensor a = pool(Var{s}, nullptr).value, b = pool(Var{turned}, nullptr).value;
    EXPECT_LE(largest_difference(a, b), 2 * 33 * kUnit64 * largest(a));
  }
}

}  // namespace
}  // namespace heddle::testing
