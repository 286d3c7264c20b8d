// Examples of words as tokens: padding, control tokens and labels stand where they should.
#include "heddle/task/example_list.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using Ids = std::vector<std::int32_t>;

constexpr TaskShape kShape{.words = 10, .longest_input = 4, .longest_output = 4};
constexpr std::int32_t kPad = 10, kBos = 11, kEos = 12, kCls = 12;

Ids ids(std::span<const std::int32_t> span) {
  return {span.begin(), span.end()};
}

ExampleList pairs() {
  ExampleList list;
  list.add(Ids{3, 1, 4}, Ids{4, 1, 3});
  list.add(Ids{5}, Ids{5});
  list.add(Ids{2, 7}, Ids{7, 2, 0, 1});
  return list;
}

TEST(ExampleList, GivesBackWhatItWasGiven) {
  ExampleList list = pairs();
  ASSERT_EQ(list.size(), 3);
  EXPECT_EQ(ids(list[2].input), (Ids{2, 7}));
  EXPECT_EQ(ids(list[2].output), (Ids{7, 2, 0, 1}));
  EXPECT_EQ(ids(list[1].input), (Ids{5}));
  EXPECT_EQ(list.longest_input(0, 3), 3);
  EXPECT_EQ(list.longest_input(1, 2), 2);
  EXPECT_EQ(list.longest_output(0, 2), 3);
  list.clear();
  EXPECT_EQ(list.size(), 0);
  list.add(Ids{9}, Ids{8});
  EXPECT_EQ(list[0].label(), 8);
}

TEST(ExampleList, PairsArePaddedBehindAndAskForAnEnd) {
  Batch batch;
  encode_pairs(pairs(), 0, 3, kShape, batch);
  EXPECT_EQ(batch.source_length, 3);
  EXPECT_EQ(batch.target_length, 5);  // the longest output and its EOS
  EXPECT_EQ(batch.source, (Ids{3, 1, 4, 5, kPad, kPad, 2, 7, kPad}));
  EXPECT_EQ(batch.target_in,
            (Ids{kBos, 4, 1, 3, kPad, kBos, 5, kPad, kPad, kPad, kBos, 7, 2, 0, 1}));
  EXPECT_EQ(batch.target_out, (Ids{4, 1, 3, kEos, kNoTarget, 5, kEos, kNoTarget, kNoTarget,
                                   kNoTarget, 7, 2, 0, 1, kEos}));
  EXPECT_EQ(batch.source_valid, (std::vector<std::uint8_t>{1, 1, 1, 1, 0, 0, 1, 1, 0}));
}

/// A mask that masks nothing would cost a slower kernel.
TEST(ExampleList, WithoutPaddingThereIsNoMask) {
  Batch batch;
  encode_pairs(pairs(), 0, 3, kShape, batch);
  encode_pairs(pairs(), 2, 1, kShape, batch);
  EXPECT_TRUE(batch.source_valid.empty());
  EXPECT_EQ(batch.source, (Ids{2, 7}));
  EXPECT_EQ(batch.target_out, (Ids{7, 2, 0, 1, kEos}));
}

TEST(ExampleList, LabelsStandBesidePaddedRows) {
  constexpr TaskShape kLabels{.labels = true, .words = 10, .classes = 3, .longest_input = 4};
  ExampleList list;
  list.add(Ids{3, 1, 4}, Ids{2});
  list.add(Ids{5}, Ids{0});
  LabelledBatch batch;
  encode_labels(list, 0, 2, {}, kLabels, batch);
  EXPECT_EQ(batch.tokens, (Ids{3, 1, 4, 5, kPad, kPad}));
  EXPECT_EQ(batch.valid, (std::vector<std::uint8_t>{1, 1, 1, 1, 0, 0}));
  EXPECT_EQ(batch.labels, (Ids{2, 0}));
  encode_labels(list, 0, 2, {.bos = true, .cls = ClsPlace::back}, kLabels, batch);
  EXPECT_EQ(batch.tokens, (Ids{kBos, 3, 1, 4, kCls, kBos, 5, kCls, kPad, kPad}));
}

}  // namespace
}  // namespace heddle
