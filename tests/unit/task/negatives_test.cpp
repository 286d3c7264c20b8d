// Negatives: every kind keeps its promise, recomputed from the sequences.
#include "heddle/task/sortedness/negatives.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "heddle/task/sortedness/values.hpp"

namespace heddle {
namespace {

Sequence sorted_copy(Sequence values) {
  std::ranges::sort(values);
  return values;
}

/// The places at which two sequences differ.
std::vector<std::size_t> changed(const Sequence& a, const Sequence& b) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) places.push_back(i);
  return places;
}

/// Every way to spoil: the kinds, and `dip` with each depth.
std::vector<Spoil> all_spoils() {
  std::vector<Spoil> spoils;
  for (std::size_t k = 0; k < kNegativeKinds; ++k) {
    const auto kind = static_cast<NegativeKind>(k);
    if (kind != NegativeKind::dip) spoils.push_back({.kind = kind});
  }
  for (const std::int32_t delta : kDipDepths)
    spoils.push_back({.kind = NegativeKind::dip, .delta = delta});
  return spoils;
}

void expect_promise(const Spoil& spoil, const Sequence& from, const Sequence& to) {
  const std::vector<std::size_t> places = changed(from, to);
  const Index descents = steps_of(to).descents;
  const std::size_t far = std::max<std::size_t>(2, from.size() / 4);
  switch (spoil.kind) {
    case NegativeKind::adjacent:
      ASSERT_EQ(places.size(), 2U);
      EXPECT_EQ(places[1], places[0] + 1);
      EXPECT_EQ(descents, 1);
      break;
    case NegativeKind::distant:
      ASSERT_EQ(places.size(), 2U);
      EXPECT_GE(places[1] - places[0], far);
      break;
    case NegativeKind::dip:
      ASSERT_EQ(places.size(), 1U);
      ASSERT_GT(places[0], 0U);
      EXPECT_EQ(to[places[0]], to[places[0] - 1] - spoil.delta);
      EXPECT_EQ(descents, 1);
      break;
    case NegativeKind::reverse:
      EXPECT_TRUE(std::equal(from.rbegin(), from.rend(), to.begin(), to.end()));
      break;
    case NegativeKind::rotate:
      EXPECT_EQ(descents, 1);
      break;
    case NegativeKind::swaps:
    case NegativeKind::shuffle:
      break;
  }
}

TEST(Negatives, EveryKindIsUnsortedAndKeepsItsPromise) {
  Rng rng(1, "negatives_test");
  for (const Spoil& spoil : all_spoils()) {
    for (const Index length : {3, 4, 8, 16, 61}) {
      for (const ValueKind values : {ValueKind::uniform, ValueKind::windowed}) {
        for (int time = 0; time < 40; ++time) {
          Sequence from(to_size(length));
          draw_spoilable(rng, values, spoil, from);
          const auto to = negative_of(rng, spoil, from);
          ASSERT_TRUE(to.has_value());
          SCOPED_TRACE(::testing::Message() << name_of(spoil.kind) << " " << sequence_text(from)
                                            << " -> " << sequence_text(*to));
          EXPECT_FALSE(std::ranges::is_sorted(*to));
          EXPECT_EQ(sorted_copy(*to) == from, keeps_values(spoil.kind));
          EXPECT_GE(std::ranges::min(*to), 0);
          expect_promise(spoil, from, *to);
        }
      }
    }
  }
}

/// How often each result came out of one sequence.
std::map<Sequence, int> results(const Spoil& spoil, const Sequence& from, int times) {
  Rng rng(2, "negatives_test");
  std::map<Sequence, int> counts;
  for (int time = 0; time < times; ++time) ++counts[negative_of(rng, spoil, from).value()];
  return counts;
}

void expect_even(const std::map<Sequence, int>& counts, std::size_t size, int times) {
  EXPECT_EQ(counts.size(), size);
  const double expected = static_cast<double>(times) / static_cast<double>(size);
  for (const auto& [sequence, count] : counts)
    EXPECT_NEAR(count, expected, 5 * std::sqrt(expected)) << sequence_text(sequence);
}

TEST(Negatives, EveryResultIsEquallyLikely) {
  constexpr int kTimes = 12000;
  const Sequence from{2, 2, 5, 6, 6, 6, 9, 9, 30, 31};
  // Neighbours: 2|5, 5|6, 6|9, 9|30, 30|31.
  expect_even(results({.kind = NegativeKind::adjacent}, from, kTimes), 5, kTimes);
  // Values at distinct places of their own: every pair at least 2 apart, 7 · 6 / 2 − 6.
  const Sequence rising{1, 2, 4, 7, 11, 16, 22};
  expect_even(results({.kind = NegativeKind::distant}, rising, kTimes), 15, kTimes);
  expect_even(results({.kind = NegativeKind::rotate}, rising, kTimes), 6, kTimes);
  // Left neighbours of at least 7: 7, 11, 16.
  expect_even(results({.kind = NegativeKind::dip, .delta = 7}, rising, kTimes), 3, kTimes);
  // Two swaps of unequal places: two rotations and, for the sorted order, the ends swapped.
  expect_even(results({.kind = NegativeKind::swaps}, {1, 2, 3}, kTimes), 3, kTimes);
  // All orders of three values but the sorted one.
  expect_even(results({.kind = NegativeKind::shuffle}, {1, 2, 3}, kTimes), 5, kTimes);
}

TEST(Negatives, DistantCountsPairsAroundTies) {
  constexpr int kTimes = 12000;
  // Pairs at least 2 apart with unequal values: (0,2) (0,3) (1,3) (0,4) (1,4) (2,4).
  const auto counts = results({.kind = NegativeKind::distant}, {1, 1, 2, 2, 3}, kTimes);
  expect_even(counts, 6, kTimes);
}

TEST(Negatives, WhatCannotBeIsNotMade) {
  Rng rng(3, "negatives_test");
  const Sequence equal{5, 5, 5, 5}, low{1, 2, 3, 60}, two{1, 2};
  for (const Spoil& spoil : all_spoils()) {
    if (spoil.kind != NegativeKind::dip) {
      EXPECT_FALSE(negative_of(rng, spoil, equal)) << name_of(spoil.kind);
    }
  }
  EXPECT_TRUE(negative_of(rng, {.kind = NegativeKind::dip, .delta = 5}, equal));
  EXPECT_FALSE(negative_of(rng, {.kind = NegativeKind::dip, .delta = 10}, equal));
  EXPECT_TRUE(negative_of(rng, {.kind = NegativeKind::dip, .delta = 2}, low));
  EXPECT_FALSE(negative_of(rng, {.kind = NegativeKind::dip, .delta = 5}, low));  // 60 is no left
  EXPECT_FALSE(negative_of(rng, {.kind = NegativeKind::distant}, two));
  EXPECT_EQ(negative_of(rng, {.kind = NegativeKind::swaps}, two), (Sequence{2, 1}));
  Sequence unsorted{3, 1, 2};
  EXPECT_THROW(spoil_in_place(rng, {.kind = NegativeKind::swaps}, unsorted), Error);
}

TEST(Negatives, BadRequestsAreRefused) {
  EXPECT_NO_THROW(check_spoil({.kind = NegativeKind::dip, .delta = 99}, 2));
  EXPECT_THROW(check_spoil({.kind = NegativeKind::dip, .delta = 0}, 8), UsageError);
  EXPECT_THROW(check_spoil({.kind = NegativeKind::dip, .delta = 100}, 8), UsageError);
  EXPECT_THROW(check_spoil({.kind = NegativeKind::adjacent, .delta = 1}, 8), UsageError);
  EXPECT_THROW(check_spoil({.kind = NegativeKind::adjacent}, 1), UsageError);
  EXPECT_THROW(check_spoil({.kind = NegativeKind::distant}, 2), UsageError);
}

TEST(Values, WindowsAreLogUniformAndNeverFlat) {
  double total = 0;
  for (std::int32_t width = kNarrowest; width <= kWidest; ++width) {
    total += window_chance(width);
    EXPECT_NEAR(window_chance(width) * width, window_chance(kNarrowest) * kNarrowest, 1e-6);
  }
  EXPECT_NEAR(total, 1, 1e-12);

  Rng rng(4, "negatives_test");
  constexpr int kTimes = 4000;
  int narrow = 0, uniform_narrow = 0;
  std::set<std::int32_t> seen;
  Sequence values(12);
  for (int time = 0; time < kTimes; ++time) {
    draw_sorted(rng, ValueKind::windowed, values);
    ASSERT_TRUE(is_sorted(values));
    ASSERT_GE(values.front(), 0);
    ASSERT_LT(values.back(), kValueCount);
    ASSERT_NE(values.front(), values.back());
    narrow += values.back() - values.front() < 10 ? 1 : 0;
    seen.insert(values.begin(), values.end());
    draw_sorted(rng, ValueKind::uniform, values);
    uniform_narrow += values.back() - values.front() < 10 ? 1 : 0;
  }
  // Widths 2 … 10 have Σ 1/w = 1.93 of 4.19; a few wider windows yield a narrow draw too.
  EXPECT_NEAR(static_cast<double>(narrow) / kTimes, 0.47, 0.03);
  EXPECT_EQ(uniform_narrow, 0);
  EXPECT_EQ(seen.size(), 100U);
}

TEST(Values, MixedIsHalfOfEach) {
  Rng rng(5, "negatives_test");
  constexpr int kTimes = 4000;
  int narrow = 0;
  Sequence values(12);
  for (int time = 0; time < kTimes; ++time) {
    draw_sorted(rng, ValueKind::mixed, values);
    narrow += values.back() - values.front() < 10 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(narrow) / kTimes, 0.235, 0.03);
}

}  // namespace
}  // namespace heddle
