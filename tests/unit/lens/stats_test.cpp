// Intervals against published values.
#include "heddle/lens/stats/stats.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace heddle {
namespace {

/// Newcombe 1998 (Statistics in Medicine 17), table I, method 3: score without continuity
/// correction.
TEST(Stats, WilsonIsNewcombesMethodThree) {
  struct Row {
    Count count;
    double low, high;
  };
  const std::vector<Row> rows{{{81, 263}, .2553, .3662},
                              {{15, 148}, .0624, .1605},
                              {{0, 20}, .0000, .1611},
                              {{1, 29}, .0061, .1718}};
  for (const Row& row : rows) {
    const Interval interval = wilson(row.count);
    EXPECT_NEAR(interval.low, row.low, 5e-5);
    EXPECT_NEAR(interval.high, row.high, 5e-5);
  }
}

TEST(Stats, WilsonEndsAreExact) {
  EXPECT_EQ(wilson({0, 7}).low, 0.0);
  EXPECT_EQ(wilson({7, 7}).high, 1.0);
  EXPECT_LT(wilson({7, 7}).low, 1.0);
  const Interval nothing = wilson({0, 0});
  EXPECT_EQ(nothing.low, 0.0);
  EXPECT_EQ(nothing.high, 1.0);
}

}  // namespace
}  // namespace heddle
