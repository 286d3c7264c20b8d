// Data of sortedness: no state, exact halves, no leaks between training and validation.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "heddle/task/sortedness/data.hpp"
#include "tests/support/allocations.hpp"

namespace heddle {
namespace {

SortednessSettings settings_of(DataSource source, std::uint64_t seed = 1) {
  SortednessSettings settings;
  settings.source = source;
  settings.seed = seed;
  return settings;
}

/// The reports' data.
SortednessSettings reported(std::uint64_t seed = 1) {
  SortednessSettings settings = settings_of(DataSource::fixed, seed);
  settings.values = ValueKind::uniform;
  settings.kinds = {NegativeKind::swaps};
  settings.coin_flip = true;
  return settings;
}

LabelledBatch batch_at(const SortednessData& task, Index step) {
  LabelledBatch batch;
  task.train_batch(step, batch);
  return batch;
}

/// The values of a row, its padding and marks left out; checks marks and label.
Sequence values_at(const LabelledBatch& batch, Index row) {
  Sequence values;
  for (Index i = 0; i < batch.length; ++i) {
    const auto at = to_size(row * batch.length + i);
    EXPECT_EQ(batch.valid[at] == 1, batch.tokens[at] != kSortPad);
    if (batch.tokens[at] < kValueCount) values.push_back(batch.tokens[at]);
  }
  EXPECT_EQ(batch.labels[to_size(row)] == 1, is_sorted(values));
  return values;
}

TEST(SortednessData, AStepIsHalfSortedAndHalfTheirTwins) {
  const SortednessData task(settings_of(DataSource::stream));
  std::set<Index> lengths;
  bool mixed_up = false;
  for (Index step = 0; step < 60; ++step) {
    const LabelledBatch batch = batch_at(task, step);
    lengths.insert(batch.length);
    std::multiset<Sequence> sorted, twins;
    for (Index row = 0; row < batch.size; ++row) {
      Sequence values = values_at(batch, row);
      ASSERT_EQ(std::ssize(values), batch.length);
      auto& half = is_sorted(values) ? sorted : twins;
      std::ranges::sort(values);
      half.insert(values);
    }
    EXPECT_EQ(sorted.size(), 32U);
    EXPECT_EQ(sorted, twins);
    mixed_up |= !std::ranges::is_sorted(batch.labels, std::greater<>());
  }
  EXPECT_TRUE(mixed_up);
  EXPECT_EQ(*lengths.begin(), 8);
  EXPECT_EQ(*lengths.rbegin(), 16);
  EXPECT_EQ(lengths.size(), 9U);
}

TEST(SortednessData, KindsTakeTurnsAcrossSteps) {
  SortednessSettings settings = settings_of(DataSource::stream);
  settings.values = ValueKind::uniform;
  settings.kinds = {NegativeKind::reverse, NegativeKind::adjacent, NegativeKind::rotate};
  settings.min_length = settings.max_length = 60;  // long enough to tell the three apart
  settings.batch = 8;
  const SortednessData task(settings);
  std::map<NegativeKind, int> counts;
  for (Index step = 0; step < 30; ++step) {
    const LabelledBatch batch = batch_at(task, step);
    for (Index row = 0; row < batch.size; ++row) {
      const Sequence values = values_at(batch, row);
      if (is_sorted(values)) continue;
      Sequence sorted = values;
      std::ranges::sort(sorted);
      const auto moved = std::ranges::mismatch(values, sorted);
      const bool one_swap =
          steps_of(values).descents == 1 && std::equal(moved.in1 + 2, values.end(), moved.in2 + 2);
      ++counts[steps_of(values).descents > 1 ? NegativeKind::reverse
               : one_swap                    ? NegativeKind::adjacent
                                             : NegativeKind::rotate];
    }
  }
  EXPECT_EQ(counts[NegativeKind::reverse], 40);
  EXPECT_EQ(counts[NegativeKind::adjacent], 40);
  EXPECT_EQ(counts[NegativeKind::rotate], 40);
}

TEST(SortednessData, DipTakesEveryDepth) {
  SortednessSettings settings = settings_of(DataSource::stream);
  settings.kinds = {NegativeKind::dip};
  const SortednessData task(settings);
  std::map<std::int32_t, int> depths;
  for (Index step = 0; step < 40; ++step) {
    const LabelledBatch batch = batch_at(task, step);
    for (Index row = 0; row < batch.size; ++row) {
      const Sequence values = values_at(batch, row);
      const auto end = std::ranges::is_sorted_until(values);
      if (end != values.end()) ++depths[*(end - 1) - *end];
    }
  }
  ASSERT_EQ(depths.size(), kDipDepths.size());
  for (const std::int32_t depth : kDipDepths)
    EXPECT_NEAR(depths[depth], 40 * 32 / 6.0, 70) << depth;  // five standard deviations
}

TEST(SortednessData, AStepDependsOnItsNumberAndSeedOnly) {
  for (const DataSource source : {DataSource::stream, DataSource::fixed}) {
    const SortednessData task(settings_of(source)), same(settings_of(source));
    const SortednessData other(settings_of(source, 2));
    const LabelledBatch late = batch_at(task, 500);
    EXPECT_EQ(batch_at(same, 500).tokens, late.tokens);
    EXPECT_EQ(batch_at(same, 500).labels, late.labels);
    EXPECT_NE(batch_at(task, 501).tokens, late.tokens);
    EXPECT_NE(batch_at(other, 500).tokens, late.tokens);
    EXPECT_EQ(task.data_hash(), same.data_hash());
    EXPECT_NE(task.data_hash(), other.data_hash());
  }
}

TEST(SortednessData, AnEpochShowsEverySequenceOnce) {
  const SortednessData task(reported());
  ASSERT_EQ(task.train().size(), 10000U);
  std::multiset<Sequence> shown, held;
  for (const LabelledSequence& sequence : task.train()) held.insert(sequence.values);
  LabelledBatch batch;
  bool padded = false;
  Index left = 10000;
  for (Index step = 0; left > 0; ++step) {
    task.train_batch(step, batch);
    std::size_t longest = 0;
    for (Index row = 0; row < batch.size && left > 0; ++row, --left) {
      const Sequence values = values_at(batch, row);
      longest = std::max(longest, values.size());
      padded |= std::ssize(values) < batch.length;
      shown.insert(values);
    }
    if (left > 0) {
      EXPECT_EQ(static_cast<Index>(longest), batch.length);
    }
  }
  EXPECT_TRUE(shown == held);
  EXPECT_TRUE(padded);
}

TEST(SortednessData, ReportedDataIsWhatTheReportsHad) {
  const SortednessData task(reported());
  const SequenceMakeup makeup = task.train_makeup();
  EXPECT_EQ(makeup.count(), 10000);
  EXPECT_NE(makeup.positives, 5000);
  EXPECT_NEAR(static_cast<double>(makeup.positives), 5000, 200);
  EXPECT_EQ(makeup.shortest, 8);
  EXPECT_EQ(makeup.longest, 16);
  EXPECT_NEAR(makeup.mean_descents(), 4, 0.3);
}

TEST(SortednessData, ValidationIsInRangeBalancedAndNotInTheFixedSet) {
  SortednessSettings narrow = settings_of(DataSource::fixed);
  narrow.min_length = 3;  // so short that twins meet by chance
  narrow.max_length = 5;
  for (const SortednessSettings& settings : {narrow, reported(), settings_of(DataSource::stream)}) {
    const SortednessData task(settings);
    ASSERT_EQ(task.validation().size(), 2000U);
    std::set<Sequence> trained;
    for (const LabelledSequence& sequence : task.train()) trained.insert(sequence.values);
    Index sorted = 0;
    for (const LabelledSequence& sequence : task.validation()) {
      EXPECT_FALSE(trained.contains(sequence.values));
      EXPECT_EQ(sequence.sorted, is_sorted(sequence.values));
      EXPECT_GE(std::ssize(sequence.values), settings.min_length);
      EXPECT_LE(std::ssize(sequence.values), settings.max_length);
      sorted += sequence.sorted ? 1 : 0;
    }
    if (!settings.coin_flip) {
      EXPECT_EQ(sorted, 1000);
    }
  }
}

TEST(SortednessData, RowsAreLaidOutAsAsked) {
  const std::vector<LabelledSequence> sequences{{.values = {3, 5}, .sorted = true},
                                                {.values = {7, 6, 9}, .sorted = false}};
  LabelledBatch batch;
  encode(sequences, {.bos = true, .cls = ClsPlace::front}, batch);
  EXPECT_EQ(batch.tokens, (std::vector<std::int32_t>{101, 102, 3, 5, 100, 101, 102, 7, 6, 9}));
  EXPECT_EQ(batch.valid, (std::vector<std::uint8_t>{1, 1, 1, 1, 0, 1, 1, 1, 1, 1}));
  EXPECT_EQ(batch.labels, (std::vector<std::int32_t>{1, 0}));
  encode(sequences, {.bos = false, .cls = ClsPlace::back}, batch);
  EXPECT_EQ(batch.tokens, (std::vector<std::int32_t>{3, 5, 102, 100, 7, 6, 9, 102}));
  EXPECT_EQ(batch.valid, (std::vector<std::uint8_t>{1, 1, 1, 0, 1, 1, 1, 1}));
  encode(sequences, {}, batch);
  EXPECT_EQ(batch.tokens, (std::vector<std::int32_t>{3, 5, 100, 7, 6, 9}));
}

TEST(SortednessData, FillingAgainAllocatesNothing) {
  if (!testing::allocations_are_counted()) GTEST_SKIP() << "a sanitizer has its own new";
  for (const DataSource source : {DataSource::stream, DataSource::fixed}) {
    const SortednessData task(settings_of(source));
    LabelledBatch batch;
    batch.resize(task.batch(), task.layout().length(16));
    for (Index step = 0; step < 20; ++step) task.train_batch(step, batch);  // to its largest size
    const std::uint64_t before = testing::allocations();
    for (Index step = 0; step < 20; ++step) task.train_batch(step, batch);
    EXPECT_EQ(testing::allocations(), before);
  }
}

TEST(SortednessData, WhatCannotBeIsRefused) {
  const auto refused = [](auto&& change) {
    SortednessSettings settings = settings_of(DataSource::stream);
    change(settings);
    EXPECT_THROW(SortednessData{settings}, UsageError);
  };
  refused([](SortednessSettings& s) { s.min_length = 17; });
  refused([](SortednessSettings& s) { s.min_length = 2; });  // too short for distant
  refused([](SortednessSettings& s) { s.kinds.clear(); });
  refused([](SortednessSettings& s) { s.batch = 0; });
  refused([](SortednessSettings& s) { s.batch = 63; });
}

}  // namespace
}  // namespace heddle
