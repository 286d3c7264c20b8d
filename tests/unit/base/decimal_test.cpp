// The one rounding of printed numbers: half away from zero, 100 % only if it is all, 0 % only if it
// is nothing.
#include "heddle/base/decimal.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Decimal, HalvesGoAwayFromZeroOnTheNumberAsItIsWritten) {
  EXPECT_EQ(format_points(0.4525), "45.3") << "fmt and a product by 100 gave 45.2";
  EXPECT_EQ(format_points(-0.4525), "-45.3");
  EXPECT_EQ(format_percent(0.41625, 2), "41.63 %");
  EXPECT_EQ(format_percent(0.2845, 1), "28.5 %") << "100 × 0.2845 is below 28.45 in binary";
  EXPECT_EQ(format_fixed(2.675, 2), "2.68") << "below it in binary, but that is not what is read";
  EXPECT_EQ(format_fixed(0.5, 0), "1");
  EXPECT_EQ(format_fixed(0.05, 0), "0");
  EXPECT_EQ(format_fixed(9.995, 2), "10.00");
  EXPECT_EQ(format_fixed(1e20, 1), "100000000000000000000.0");
  EXPECT_EQ(format_significant(0.5135), "0.514");
}

TEST(Decimal, ACountIsRoundedOnItsExactShare) {
  for (std::int64_t whole = 1; whole <= 300; ++whole)
    for (std::int64_t part = 0; part <= whole; ++part)
      for (const int decimals : {0, 1, 2}) {
        // Twice the share in units of the last decimal, so that a half is a whole number.
        const std::int64_t unit = decimals == 0 ? 1 : decimals == 1 ? 10 : 100;
        std::int64_t units = (200 * unit * part + whole) / (2 * whole);
        if (units == 100 * unit && part < whole) --units;
        if (units == 0 && part > 0) ++units;
        const std::string text = format_share(part, whole, decimals);
        const double printed = std::stod(text) * static_cast<double>(unit);
        ASSERT_EQ(std::llround(printed), units) << part << " of " << whole << ": " << text;
        const double share = static_cast<double>(part) / static_cast<double>(whole);
        ASSERT_EQ(format_percent(share, decimals), text) << part << " of " << whole;
      }
}

TEST(Decimal, AllAndNothingAreSaidOnlyWhereTheyAre) {
  EXPECT_EQ(format_share(2000, 2000), "100.00 %");
  EXPECT_EQ(format_share(999'999, 1'000'000), "99.9999 %");
  EXPECT_EQ(format_share(99'999, 100'000, 1), "99.9 %");
  EXPECT_EQ(format_share(1, 1'000'000, 2), "0.01 %");
  EXPECT_EQ(format_share(0, 7), "0.00 %");
  EXPECT_EQ(format_percent(0.999999, 1), "99.9 %");
  EXPECT_EQ(format_percent(0.000001, 1), "0.1 %");
  EXPECT_EQ(format_percent(1.0, 0), "100 %");
  EXPECT_EQ(format_share(0, 0), kNoNumber);
  EXPECT_EQ(format_share(4'000'000'000'000'000'000, 8'000'000'000'000'000'000, 2), "50.00 %");
}

TEST(Decimal, NoNumberAndNoMinusBeforeZero) {
  EXPECT_EQ(format_fixed(std::nan(""), 1), kNoNumber);
  EXPECT_EQ(format_percent(std::numeric_limits<double>::infinity(), 1), kNoNumber);
  EXPECT_EQ(format_significant(std::nan("")), kNoNumber);
  EXPECT_EQ(format_fixed(-0.001, 2), "0.00");
  EXPECT_EQ(format_percent(-0.125, 1), "-12.5 %");
  EXPECT_EQ(format_fixed(-0.0, 1), "0.0");
}

TEST(Decimal, SignificantDigitsHaveAnExponentWhereTheyNeedOne) {
  EXPECT_EQ(format_significant(7.44e-5), "7.44e-05");
  EXPECT_EQ(format_significant(0.0123), "0.0123");
  EXPECT_EQ(format_significant(999.6), "1e+03");
  EXPECT_EQ(format_significant(-123456), "-1.23e+05");
  EXPECT_EQ(format_significant(0.25), "0.25");
  EXPECT_EQ(format_significant(0), "0");
}

TEST(Decimal, SeveralShareOneSign) {
  EXPECT_EQ(format_percents(std::array{0.166, 0.359, 0.475}, 1), "16.6 35.9 47.5 %");
  EXPECT_EQ(format_percent_range(0.12345, 1, 2), "12.35 … 100.00 %");
}

}  // namespace
}  // namespace heddle
