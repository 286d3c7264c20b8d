// Random streams: published and golden values, independence of use, distributions.
#include "heddle/base/rng.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace heddle {
namespace {

/// Σ (seen − expected)² / expected for equally likely cells.
double chi_square(const std::vector<int>& seen) {
  const double expected =
      std::accumulate(seen.begin(), seen.end(), 0.0) / static_cast<double>(seen.size());
  double sum = 0;
  for (const int n : seen) sum += (n - expected) * (n - expected) / expected;
  return sum;
}

/// What chi-square exceeds once in about a million tests (Wilson and Hilferty, z = 4.75).
double chi_square_limit(double freedom) {
  const double spread = 2 / (9 * freedom);
  return freedom * std::pow(1 - spread + 4.75 * std::sqrt(spread), 3);
}

using Words = std::array<std::uint32_t, 4>;

TEST(Rng, PhiloxGivesItsPublishedValues) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Rng, GoldenStream) {
  // From an independent version in Python, but for the last bits of the normal draws.
  Rng rng(1, "data.train", 7);
  EXPECT_EQ(rng.next_u64(), 11578399681100494724U);
  EXPECT_EQ(rng.next_u64(), 2505743233216323522U);
  EXPECT_EQ(rng.next_u64(), 9059979116084564469U);
  EXPECT_EQ(rng.below(1000), 95U);
  EXPECT_EQ(rng.uniform(), 0x1.2b7a1fd021794p-3);
  EXPECT_EQ(rng.normal(), 0x1.5118c01944f17p-5);
  EXPECT_EQ(rng.normal(), -0x1.587999a300835p-1);
}

TEST(Rng, StreamsDifferInSeedNameAndIndex) {
  const std::vector<Rng> streams{Rng(1, "a"), Rng(2, "a"), Rng(1, "b"), Rng(1, "a", 1),
                                 Rng(1, "a", std::uint64_t{1} << 32)};
  std::vector<std::uint64_t> firsts;
  firsts.reserve(streams.size());
  for (Rng stream : streams) firsts.push_back(stream.next_u64());
  std::ranges::sort(firsts);
  EXPECT_EQ(std::ranges::adjacent_find(firsts), firsts.end());
}

TEST(Rng, SameStreamWhateverElseWasDrawn) {
  Rng other(1, "weights");
  Rng one(1, "data.train", 3);
  Rng two(1, "data.train", 3);
  for (int i = 0; i < 100; ++i) {
    for (int k = 0; k < i % 3; ++k) other.next_u64();
    ASSERT_EQ(one.next_u64(), two.next_u64());
  }
}

TEST(Rng, BelowIsUniform) {
  for (const std::uint64_t n : {2U, 3U, 10U, 1000U}) {
    Rng rng(1, "below", n);
    std::vector<int> seen(n);
    for (int i = 0; i < 200000; ++i) ++seen.at(rng.below(n));
    EXPECT_LT(chi_square(seen), chi_square_limit(static_cast<double>(n - 1))) << n;
  }
}

TEST(Rng, BelowIsUnbiasedWhereRemaindersWouldShow) {
  // A bare remainder of 64 bits by ¾·2⁶⁴ would fall below ¼·2⁶⁴ half the time instead of a third.
  Rng rng(1, "below.large");
  const std::uint64_t n = std::uint64_t{3} << 62;
  int low = 0;
  for (int i = 0; i < 30000; ++i) low += rng.below(n) < (std::uint64_t{1} << 62) ? 1 : 0;
  EXPECT_NEAR(low / 30000.0, 1.0 / 3, 0.015);
  EXPECT_EQ(rng.below(1), 0U);
}

TEST(Rng, UniformFillsItsInterval) {
  Rng rng(1, "uniform");
  std::vector<int> seen(64);
  for (int i = 0; i < 200000; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    ++seen[static_cast<std::size_t>(u * 64)];
  }
  EXPECT_LT(chi_square(seen), chi_square_limit(63));
}

TEST(Rng, NeighbouringDrawsAndStreamsAreIndependent) {
  std::vector<int> pairs(256);
  std::vector<int> streams(256);
  double before = Rng(1, "a").uniform();
  for (std::uint64_t i = 0; i < 100000; ++i) {
    Rng rng(1, "a", i);
    const double first = rng.uniform();
    const double second = rng.uniform();
    ++pairs[static_cast<std::size_t>(first * 16) * 16 + static_cast<std::size_t>(second * 16)];
    ++streams[static_cast<std::size_t>(before * 16) * 16 + static_cast<std::size_t>(first * 16)];
    before = first;
  }
  EXPECT_LT(chi_square(pairs), chi_square_limit(255));
  EXPECT_LT(chi_square(streams), chi_square_limit(255));
}

TEST(Rng, NormalHasTheMomentsOfANormal) {
  Rng rng(1, "normal");
  static constexpr int kCount = 400000;
  double one = 0;
  double two = 0;
  double three = 0;
  double four = 0;
  for (int i = 0; i < kCount; ++i) {
    const double z = rng.normal();
    one += z;
    two += z * z;
    three += z * z * z;
    four += z * z * z * z;
  }
  // Five standard errors of each: variances 1, 2, 15 and 96 over the count.
  EXPECT_NEAR(one / kCount, 0, 5 * std::sqrt(1.0 / kCount));
  EXPECT_NEAR(two / kCount, 1, 5 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(three / kCount, 0, 5 * std::sqrt(15.0 / kCount));
  EXPECT_NEAR(four / kCount, 3, 5 * std::sqrt(96.0 / kCount));
}

TEST(Rng, NormalFollowsItsDistribution) {
  Rng rng(2, "normal");
  std::vector<int> seen(50);
  for (int i = 0; i < 200000; ++i) {
    const double p = 0.5 * std::erfc(-rng.normal() / std::sqrt(2.0));
    ++seen[std::min<std::size_t>(49, static_cast<std::size_t>(p * 50))];
  }
  EXPECT_LT(chi_square(seen), chi_square_limit(49));
}

TEST(Rng, InverseNormalInvertsItsDistribution) {
  for (const double p : {1e-300, 1e-20, 1e-10, 1e-5, 0.001, 0.0249, 0.074, 0.076, 0.2, 0.4999}) {
    const double z = inverse_normal(p);
    // Φ has relative slope about |z| in the tail, so z's rounding is magnified by z².
    EXPECT_NEAR(0.5 * std::erfc(-z / std::sqrt(2.0)) / p, 1, 4e-16 * (10 + 2 * z * z)) << p;
  }
  EXPECT_EQ(inverse_normal(0.5), 0);
  EXPECT_EQ(inverse_normal(0.75), -inverse_normal(0.25));
  EXPECT_NEAR(inverse_normal(0.975), 1.959963984540054, 1e-15);
}

TEST(Rng, ShuffleReachesEveryOrderEquallyOften) {
  std::vector<int> seen(24);
  Rng rng(1, "shuffle");
  for (int i = 0; i < 24000; ++i) {
    std::string items = "abcd";
    rng.shuffle(std::span(items));
    int rank = 0;
    while (std::ranges::prev_permutation(items).found) ++rank;
    ++seen.at(static_cast<std::size_t>(rank));
  }
  EXPECT_LT(chi_square(seen), chi_square_limit(23));
}

TEST(Permutation, HoldsEveryItemOnce) {
  for (const std::uint64_t size : {1U, 2U, 3U, 7U, 16U, 17U, 1000U, 10000U}) {
    const Permutation order(Rng(1, "order", size), size);
    std::vector<int> seen(size);
    for (std::uint64_t place = 0; place < size; ++place) ++seen.at(order(place));
    EXPECT_EQ(std::ranges::count(seen, 1), static_cast<std::ptrdiff_t>(size)) << size;
  }
}

TEST(Permutation, PutsEveryItemEverywhere) {
  std::vector<int> seen(100);
  std::vector<int> pairs(100);
  for (std::uint64_t epoch = 0; epoch < 200000; ++epoch) {
    const Permutation order(Rng(1, "order", epoch), 10);
    for (std::uint64_t place = 0; place < 10; ++place) ++seen[place * 10 + order(place)];
    ++pairs[order(0) * 10 + order(1)];
  }
  // Rows and columns sum to constants, so the freedom is 81; neighbours never coincide: 90 cells.
  EXPECT_LT(chi_square(seen), chi_square_limit(81));
  std::vector<int> apart;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (i / 10 != i % 10) apart.push_back(pairs[i]);
  EXPECT_LT(chi_square(apart), chi_square_limit(89));
}

}  // namespace
}  // namespace heddle
