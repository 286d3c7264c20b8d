// Sequences: their steps, their make-up, and what is read as one.
#include "heddle/task/sortedness/sequence.hpp"

#include <string>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"

namespace heddle {
namespace {

TEST(Sequence, SortedMeansNoDescent) {
  EXPECT_TRUE(is_sorted(Sequence{4}));
  EXPECT_TRUE(is_sorted(Sequence{3, 3, 5, 99}));
  EXPECT_FALSE(is_sorted(Sequence{3, 2}));
  EXPECT_FALSE(is_sorted(Sequence{0, 5, 5, 4}));
}

TEST(Sequence, StepsAreToldApart) {
  const Steps steps = steps_of(Sequence{3, 3, 4, 9, 8, 8, 9});
  EXPECT_EQ(steps.ties, 2);
  EXPECT_EQ(steps.gap1, 2);
  EXPECT_EQ(steps.wider, 1);
  EXPECT_EQ(steps.descents, 1);
  EXPECT_EQ(steps_of(Sequence{7}).ties, 0);
}

TEST(Sequence, MakeupTakesTiesFromTheSortedAndDescentsFromTheOthers) {
  SequenceMakeup makeup;
  EXPECT_EQ(makeup.tie_share(), 0);
  EXPECT_EQ(makeup.mean_descents(), 0);
  makeup.add(Sequence{1, 1, 2, 5, 5});
  makeup.add(Sequence{2, 1, 1, 0, 7, 7, 6});
  makeup.add(Sequence{9, 8});
  EXPECT_EQ(makeup.count(), 3);
  EXPECT_EQ(makeup.positives, 1);
  EXPECT_EQ(makeup.shortest, 2);
  EXPECT_EQ(makeup.longest, 7);
  EXPECT_DOUBLE_EQ(makeup.tie_share(), 0.5);
  EXPECT_DOUBLE_EQ(makeup.gap1_share(), 0.5);
  EXPECT_DOUBLE_EQ(makeup.mean_descents(), 2);
}

TEST(Sequence, IsReadWithSpacesOrCommas) {
  const Sequence expected{3, 5, 5, 99};
  for (const char* text : {"3 5 5 99", "3,5,5,99", " 3, 5  5 ,99 ", "3\t5\n5 99"})
    EXPECT_EQ(parse_sequence(text, 4), expected) << text;
  EXPECT_EQ(sequence_text(expected), "3 5 5 99");
  EXPECT_EQ(sequence_text({}), "");
}

std::string complaint(const std::string& text, Index longest) {
  try {
    parse_sequence(text, longest);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Sequence, RefusesWhatIsNone) {
  const std::string accepted = ": accepted are 1 to 4 whole numbers from 0 to 99, such as 3 5 5 9";
  EXPECT_EQ(complaint("", 4), "'' has no number" + accepted);
  EXPECT_EQ(complaint(" , ", 4), "' , ' has no number" + accepted);
  EXPECT_EQ(complaint("3 x 5", 4), "'3 x 5' has 'x' for a number" + accepted);
  EXPECT_EQ(complaint("3 2.5", 4), "'3 2.5' has '2.5' for a number" + accepted);
  EXPECT_EQ(complaint("3 100", 4), "'3 100' has the number 100" + accepted);
  EXPECT_EQ(complaint("-1 3", 4), "'-1 3' has the number -1" + accepted);
  EXPECT_EQ(complaint("1 2 3 4 5", 4), "'1 2 3 4 5' has 5 numbers" + accepted);
  EXPECT_EQ(complaint("1 2 3 4", 4), "");
}

}  // namespace
}  // namespace heddle
