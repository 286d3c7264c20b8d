// The test sets: balance, twins, make-up, and that a sequence depends on its own name only.
#include "heddle/task/sortedness/sorted_sets.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"

namespace heddle {
namespace {

Sequence at(const SortedSet& set, Index index) {
  Sequence values(to_size(set.spec().length));
  const bool sorted = set.draw(index, values);
  EXPECT_EQ(sorted, is_sorted(values));
  return values;
}

SetSpec spec_of(Index length, NegativeKind kind, Index count = 200) {
  SetSpec spec;
  spec.length = length;
  spec.kind = kind;
  spec.delta = kind == NegativeKind::dip ? 5 : 0;
  spec.count = count;
  spec.seed = 7;
  return spec;
}

TEST(SortedSets, HalfAreSortedAndTheOthersAreTheirTwins) {
  for (std::size_t k = 0; k < kNegativeKinds; ++k) {
    const auto kind = static_cast<NegativeKind>(k);
    const SortedSet set(spec_of(24, kind));
    for (Index pair = 0; pair < set.size() / 2; ++pair) {
      const Sequence positive = at(set, 2 * pair);
      Sequence negative = at(set, 2 * pair + 1);
      ASSERT_TRUE(is_sorted(positive));
      ASSERT_FALSE(is_sorted(negative));
      if (kind == NegativeKind::dip) {
        EXPECT_EQ(std::ranges::mismatch(positive, negative).in1 - positive.begin(),
                  std::ranges::is_sorted_until(negative) - negative.begin());
        continue;
      }
      std::ranges::sort(negative);
      EXPECT_EQ(negative, positive) << name_of(kind);
    }
  }
}

TEST(SortedSets, UniformValuesShiftWithLength) {
  const SequenceMakeup at16 = SortedSet(spec_of(16, NegativeKind::swaps, 4000)).makeup();
  const SequenceMakeup at256 = SortedSet(spec_of(256, NegativeKind::swaps, 1000)).makeup();
  EXPECT_EQ(at16.positives, 2000);
  EXPECT_EQ(at16.negatives, 2000);
  EXPECT_EQ(at256.shortest, 256);
  EXPECT_NEAR(at16.tie_share(), 0.08, 0.01);
  EXPECT_NEAR(at256.tie_share(), 0.64, 0.01);
  EXPECT_NEAR(at16.gap1_share(), 0.15, 0.01);
  EXPECT_NEAR(at256.gap1_share(), 0.92, 0.01);
  EXPECT_NEAR(at256.mean_descents(), 93, 1.5);
}

TEST(SortedSets, BlocksOfAnySizeHoldTheSameSequences) {
  SetSpec spec = spec_of(9, NegativeKind::swaps, 30);
  spec.values = ValueKind::mixed;
  const SortedSet set(spec);
  const RowLayout layout{.bos = true, .cls = ClsPlace::back};
  for (const Index block : {1, 7, 30, 64}) {
    LabelledBatch batch;
    Index seen = 0;
    for (Index first = 0; first < set.size(); first += block) {
      set.block(first, block, layout, batch);
      ASSERT_EQ(batch.length, 11);
      for (Index row = 0; row < batch.size; ++row, ++seen) {
        const auto tokens = batch.row(row);
        EXPECT_TRUE(std::ranges::equal(tokens.subspan(1, 9), at(set, seen)));
        EXPECT_EQ(tokens.front(), kSortBos);
        EXPECT_EQ(tokens.back(), kSortCls);
        EXPECT_EQ(batch.labels[to_size(row)], seen % 2 == 0 ? 1 : 0);
      }
    }
    EXPECT_EQ(seen, 30);
  }
}

TEST(SortedSets, EveryPartOfTheNameCountsAndNothingElse) {
  const SetSpec spec = spec_of(12, NegativeKind::dip);
  const Sequence first = at(SortedSet(spec), 10);
  SetSpec larger = spec;
  larger.count = 5000;
  EXPECT_EQ(at(SortedSet(larger), 10), first);
  SetSpec seed = spec, delta = spec, values = spec, kind = spec;
  seed.seed = 8;
  delta.delta = 1;
  values.values = ValueKind::mixed;
  kind.kind = NegativeKind::swaps;
  kind.delta = 0;
  for (const SetSpec& other : {seed, delta, values, kind})
    EXPECT_NE(at(SortedSet(other), 10), first);
  EXPECT_NE(at(SortedSet(spec), 12), first);
  EXPECT_NE(at(SortedSet(spec_of(13, NegativeKind::dip)), 10), first);
}

TEST(SortedSets, AsReportedFlipsACoin) {
  const SortedSet set(as_reported(32, 3));
  EXPECT_EQ(set.size(), 500);
  EXPECT_FALSE(set.twins());
  const SequenceMakeup makeup = set.makeup();
  EXPECT_NE(makeup.positives, 250);
  EXPECT_NEAR(static_cast<double>(makeup.positives), 250, 45);  // four standard deviations
  EXPECT_GT(makeup.mean_descents(), 8);
}

TEST(SortedSets, WhatCannotBeIsRefused) {
  EXPECT_THROW(SortedSet(spec_of(1, NegativeKind::swaps)), UsageError);
  EXPECT_THROW(SortedSet(spec_of(2, NegativeKind::distant)), UsageError);
  EXPECT_THROW(SortedSet(spec_of(8, NegativeKind::swaps, 201)), UsageError);
  EXPECT_THROW(SortedSet(spec_of(8, NegativeKind::swaps, 0)), UsageError);
  SetSpec deep = spec_of(8, NegativeKind::swaps);
  deep.delta = 5;
  EXPECT_THROW(SortedSet{deep}, UsageError);
}

}  // namespace
}  // namespace heddle
