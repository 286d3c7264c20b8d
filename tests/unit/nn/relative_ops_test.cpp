// What is added to scores and how they become weights, against formulas written out here.
#include <array>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/ops/attention.hpp"
#include "heddle/ops/dense_scores.hpp"
#include "heddle/ops/distance.hpp"
#include "heddle/ops/entmax.hpp"
#include "heddle/ops/log_n.hpp"
#include "heddle/ops/rotary.hpp"
#include "tests/support/tensors.hpp"

namespace heddle::testing {
namespace {

constexpr double kExact = 64 * kUnit64;

/// Entry [h, Δ] of a table.
double at(const Tensor& table, Index h, Index distance) {
  return table.data<double>()[h * table.dim(1) + table.dim(1) / 2 + distance];
}

TEST(Distance, AlibiIsALine) {
  const Tensor slopes = random_tensor({3}, "slopes");
  const Tensor table = alibi_table(Var{slopes}, 20).value;
  ASSERT_EQ(table.shape(), (Shape{3, 39}));
  for (Index h = 0; h < 3; ++h)
    for (Index distance = -19; distance < 20; ++distance)
      EXPECT_NEAR(at(table, h, distance),
                  -std::exp(slopes.data<double>()[h]) * std::abs(static_cast<double>(distance)),
                  20 * kExact);
}

TEST(Distance, KerpleIsALogarithm) {
  const Tensor r1 = random_tensor({2}, "r1"), r2 = random_tensor({2}, "r2");
  const Tensor table = kerple_table(Var{r1}, Var{r2}, 9).value;
  for (Index h = 0; h < 2; ++h)
    for (Index distance = -8; distance < 9; ++distance)
      EXPECT_NEAR(at(table, h, distance),
                  -std::exp(r1.data<double>()[h]) *
                      std::log(1 + std::exp(r2.data<double>()[h]) *
                                       std::abs(static_cast<double>(distance))),
                  20 * kExact);
}

/// T5's own rule for 32 buckets, without the one that it never uses: half of them exact, the others
/// by the logarithm, the last from the longest distance on.
TEST(Distance, BucketsAreThoseOfT5) {
  const auto t5 = [](Index far, Index longest) {
    if (far < 8) return far;
    const double share =
        std::log(static_cast<double>(far) / 8) / std::log(static_cast<double>(longest) / 8);
    return std::min(Index{15}, 8 + static_cast<Index>(share * 8));
  };
  for (const Index longest : {16, 128})
    for (Index far = 0; far < 300; ++far) {
      EXPECT_EQ(bucket_of(far, 15, longest), t5(far, longest)) << far;
      EXPECT_EQ(bucket_of(-far, 15, longest), -t5(far, longest)) << far;
    }
  for (Index far = 0; far < 9; ++far)  // so few that all are exact
    EXPECT_EQ(bucket_of(far, 4, 2), std::min(far, Index{4}));
  const Tensor weights = random_tensor({2, 31}, "weights");
  const Tensor table = bucket_table(Var{weights}, 40, 16).value;
  for (Index distance = -39; distance < 40; ++distance)
    EXPECT_EQ(at(table, 1, distance),
              weights.data<double>()[31 + 15 + bucket_of(distance, 15, 16)]);
}

TEST(Distance, HeadsLookWhereTheyAreTold) {
  const std::array<VisibleSide, 3> heads{VisibleSide::before, VisibleSide::after, VisibleSide::all};
  const Tensor table = random_tensor({3, 9}, "table");
  const Tensor seen = masked_table(Var{table}, heads).value;
  for (Index distance = -4; distance < 5; ++distance) {
    EXPECT_EQ(at(seen, 0, distance), distance >= 0 ? at(table, 0, distance) : -HUGE_VAL);
    EXPECT_EQ(at(seen, 1, distance), distance <= 0 ? at(table, 1, distance) : -HUGE_VAL);
    EXPECT_EQ(at(seen, 2, distance), at(table, 2, distance));
  }
  EXPECT_THROW((void)masked_table(Var{random_tensor({2, 9}, "t")}, heads), ShapeError);
}

TEST(Distance, WhatIsHiddenGetsNoGradient) {
  const std::array<VisibleSide, 2> heads{VisibleSide::before, VisibleSide::after};
  Tape tape;
  const Var table = tape.leaf(random_tensor({2, 5}, "table"));
  const Var seen = masked_table(table, heads);
  const Tensor dy = random_tensor({2, 5}, "dy");
  tape.backward(
      record(Tensor::zeros({1}, DType::f64), {&seen}, [dy](Backprop& b) { b.add(0, dy); }));
  for (Index h = 0; h < 2; ++h)
    for (Index distance = -2; distance < 3; ++distance)
      EXPECT_EQ(at(tape.gradient(table), h, distance),
                sees(heads[to_size(h)], distance) ? at(dy, h, distance) : 0);
}

TEST(Distance, ATableMustReachEveryPair) {
  const Var q{random_tensor({1, 4, 2, 3}, "q")}, k{random_tensor({1, 6, 2, 3}, "k")};
  const Var fits{random_tensor({2, 11}, "t")}, narrow{random_tensor({2, 9}, "t")};
  EXPECT_NO_THROW((void)attention(q, k, k, {.offset = 2}, &fits));
  EXPECT_THROW((void)attention(q, k, k, {}, &narrow), ShapeError);
  EXPECT_THROW((void)attention(q, k, k, {.offset = 3}, &fits), ShapeError);
  EXPECT_THROW((void)attention_scores(q, k, {.offset = 3}, &fits), ShapeError);
}

/// scores of queries and keys turned to places that begin at `first`.
Tensor turned_scores(const Tensor& q, const Tensor& k, Index first) {
  const RotaryOptions options{.base = 100, .first = first};
  return attention_scores(rotate(Var{q}, options), rotate(Var{k}, options), {}).value;
}

TEST(Rotary, PairsTurn) {
  const Tensor x = random_tensor({2, 3, 2, 4}, "x");
  const Tensor y = rotate(Var{x}, {.base = 100, .first = 5}).value;
  for (Index i = 0; i < x.size(); i += 2) {
    const double angle =
        static_cast<double>(5 + i / 8 % 3) * std::pow(100, -static_cast<double>(i % 4) / 4);
    const double *in = x.data<double>() + i, *out = y.data<double>() + i;
    EXPECT_NEAR(out[0], in[0] * std::cos(angle) - in[1] * std::sin(angle), kExact);
    EXPECT_NEAR(out[1], in[0] * std::sin(angle) + in[1] * std::cos(angle), kExact);
  }
  EXPECT_THROW((void)rotate(Var{random_tensor({1, 1, 1, 3}, "x")}, {}), ShapeError);
}

/// An angle near 1000 is off by 1000 units, and each of d products with it.
TEST(Rotary, ACommonShiftChangesNothing) {
  const Tensor q = random_tensor({1, 6, 2, 8}, "q"), k = random_tensor({1, 6, 2, 8}, "k");
  EXPECT_LE(largest_difference(turned_scores(q, k, 0), turned_scores(q, k, 1000)),
            8 * 2 * 1000 * kUnit64);
  EXPECT_GT(largest_difference(turned_scores(q, k, 0), attention_scores(Var{q}, Var{k}, {}).value),
            0.1);
}

TEST(DenseScores, ShawMeetsAVectorPerDistance) {
  const Tensor q = random_tensor({2, 3, 2, 4}, "q"), a = random_tensor({5, 2, 4}, "a");
  const Tensor y = shaw_scores(Var{q}, Var{a}, {.first = 4, .count = 3, .keys = 9}).value;
  ASSERT_EQ(y.shape(), (Shape{2, 2, 3, 9}));
  for (Index b = 0; b < 2; ++b)
    for (Index h = 0; h < 2; ++h)
      for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 9; ++j) {
          const Index row = std::max(Index{-2}, std::min(Index{2}, 4 + i - j)) + 2;
          double sum = 0;
          for (Index e = 0; e < 4; ++e)
            sum += q.data<double>()[((b * 3 + i) * 2 + h) * 4 + e] *
                   a.data<double>()[(row * 2 + h) * 4 + e];
          EXPECT_NEAR(y.data<double>()[((b * 2 + h) * 3 + i) * 9 + j], sum / 2, kExact);
        }
}

struct FireWeights {
  Tensor log_c = random_tensor({1}, "c"), log_l = random_tensor({1}, "l", 1);
  Tensor w1 = random_tensor({2, 8}, "w1"), b1 = random_tensor({8}, "b1");
  Tensor w2 = random_tensor({8, 2}, "w2");

  Tensor scores(const QueryRange& range) const {
    return fire_scores({.log_c = Var{log_c},
                        .log_l = Var{log_l},
                        .w1 = Var{w1},
                        .b1 = Var{b1},
                        .w2 = Var{w2}},
                       range)
        .value;
  }
  double formula(Index h, double i, double j) const {
    const double c = std::exp(*log_c.data<double>()), l = std::exp(*log_l.data<double>());
    const double x = std::log(c * std::abs(i - j) + 1) / std::log(c * std::max({l, i, j}) + 1);
    const double sign = i > j ? 1 : i < j ? -1 : 0;
    double sum = 0;
    for (Index u = 0; u < 8; ++u)
      sum += w2.data<double>()[u * 2 + h] *
             std::max(0.0, x * w1.data<double>()[u] + sign * w1.data<double>()[8 + u] +
                               b1.data<double>()[u]);
    return sum;
  }
};

TEST(DenseScores, FireIsANetworkOfTwoPlaces) {
  const FireWeights fire;
  const Tensor y = fire.scores({.first = 3, .count = 4, .keys = 9});
  ASSERT_EQ(y.shape(), (Shape{1, 2, 4, 9}));
  for (Index h = 0; h < 2; ++h)
    for (Index i = 0; i < 4; ++i)
      for (Index j = 0; j < 9; ++j)
        EXPECT_NEAR(y.data<double>()[(h * 4 + i) * 9 + j],
                    fire.formula(h, static_cast<double>(3 + i), static_cast<double>(j)), kExact);
}

/// Up to L the distance alone counts.
TEST(DenseScores, FireBelowItsLengthIgnoresAShift) {
  FireWeights fire;
  *fire.log_l.write<double>() = std::log(16.0);
  const Tensor y = fire.scores({.first = 0, .count = 16, .keys = 16});
  for (Index i = 1; i < 16; ++i)
    for (Index j = 1; j < 16; ++j)
      EXPECT_NEAR(y.data<double>()[i * 16 + j], y.data<double>()[(i - 1) * 16 + j - 1], kExact);
}

TEST(DenseScores, PiecesMakeUpTheWhole) {
  const FireWeights fire;
  const Tensor q = random_tensor({2, 7, 2, 4}, "q"), a = random_tensor({5, 2, 4}, "a");
  const Tensor whole = fire.scores({.first = 0, .count = 7, .keys = 7});
  const Tensor part = fire.scores({.first = 4, .count = 2, .keys = 7});
  EXPECT_TRUE(same_bits(part.window(0, {14}), whole.window(28, {14})));
  const Tensor shaw = shaw_scores(Var{q}, Var{a}, {.first = 0, .count = 7, .keys = 7}).value;
  const Tensor row =
      shaw_scores(Var{q.window(4 * 8, {1, 1, 2, 4})}, Var{a}, {.first = 4, .count = 1, .keys = 7})
          .value;
  EXPECT_TRUE(same_bits(row.window(0, {7}), shaw.window(28, {7})));
}

/// p for τ found by halving an interval: Σ max(z/2 − τ, 0)² falls with τ from above 1 to 0.
std::vector<double> entmax_by_bisection(std::span<const double> z) {
  const double top = *std::ranges::max_element(z) / 2;
  double low = top - 1, high = top;
  const auto weight = [](double x, double tau) {
    return x / 2 > tau ? (x / 2 - tau) * (x / 2 - tau) : 0;
  };
  for (int step = 0; step < 100; ++step) {
    const double tau = (low + high) / 2;
    double sum = 0;
    for (const double x : z) sum += weight(x, tau);
    (sum > 1 ? low : high) = tau;
  }
  std::vector<double> p;
  for (const double x : z) p.push_back(weight(x, low));
  return p;
}

TEST(Entmax, EqualsBisection) {
  for (const double size : {0.01, 1.0, 3.0, 30.0}) {
    Tensor z = random_tensor({20, 33}, "z", size);
    for (Index i = 0; i < z.size(); i += 7) z.write<double>()[i] = -HUGE_VAL;
    const Tensor p = entmax15(Var{z}).value;
    for (Index i = 0; i < 20; ++i) {
      const auto row = z.flat<double>().subspan(to_size(i * 33), 33);
      const auto expected = entmax_by_bisection(row);
      const double* got = p.data<double>() + i * 33;
      for (std::size_t j = 0; j < 33; ++j)
        EXPECT_NEAR(got[j], expected[j], 1e-12 * std::max(1.0, size));
      EXPECT_NEAR(std::accumulate(got, got + 33, 0.0), 1, 1e-12 * std::max(1.0, size));
    }
  }
}

TEST(Entmax, FarScoresGetNothingAndUnseenRowsAreZeros) {
  Tensor z = Tensor::zeros({2, 4}, DType::f32);
  const std::array<float, 8> values{3,          1,          0.5F,       2.9F,
                                    -HUGE_VALF, -HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
  std::ranges::copy(values, z.write<float>());
  const Tensor p = entmax15(Var{z}).value;
  EXPECT_GT(p.data<float>()[0], p.data<float>()[3]);
  EXPECT_EQ(p.data<float>()[1], 0);
  EXPECT_EQ(p.data<float>()[2], 0);
  for (Index j = 4; j < 8; ++j) EXPECT_EQ(p.data<float>()[j], 0);
}

/// Against counting: one sequence padded, one head looking back, one ahead, one everywhere.
TEST(LogN, CountsTheKeysThatAQuerySees) {
  const std::array<VisibleSide, 3> heads{VisibleSide::before, VisibleSide::after, VisibleSide::all};
  const std::array<std::uint8_t, 14> valid{1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 0, 1};
  const Tensor q = random_tensor({2, 4, 3, 2}, "q"), s = random_tensor({3}, "s");
  for (const bool causal : {false, true})
    for (const Index offset : {0, 2}) {
      const AttentionMask mask{causal, offset, valid.data()};
      const Tensor y = scale_log_n(Var{q}, Var{s}, {.mask = mask, .keys = 7, .heads = heads}).value;
      for (Index i = 0; i < q.size() / 2; ++i) {
        const Index b = i / 12, t = i / 3 % 4 + offset, h = i % 3;
        int n = 0;
        for (Index j = 0; j < 7; ++j)
          n +=
              valid[to_size(b * 7 + j)] != 0 && !(causal && j > t) && sees(heads[to_size(h)], t - j)
                  ? 1
                  : 0;
        EXPECT_NEAR(y.data<double>()[2 * i],
                    q.data<double>()[2 * i] * s.data<double>()[h] * std::log(std::max(n, 2)),
                    kExact);
      }
    }
}

}  // namespace
}  // namespace heddle::testing
