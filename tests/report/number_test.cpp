// Numbers, axes, colours and labels of reports.
#include "heddle/report/document/number.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "heddle/report/check/scan.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/draw/axis.hpp"
#include "heddle/report/draw/layout.hpp"
#include "heddle/report/draw/palette.hpp"
#include "heddle/report/draw/png.hpp"

namespace heddle::report {
namespace {

TEST(ReportNumber, APercentageIsAllOrNothingOnlyIfItIs) {
  EXPECT_EQ(percent(Count{.correct = 2000, .total = 2000}), "100.00 %");
  EXPECT_EQ(percent(Count{.correct = 999'999, .total = 1'000'000}), "99.9999 %");
  EXPECT_EQ(percent(0.999999, 1), "99.9 %");
  EXPECT_EQ(percent(0.000001, 1), "0.1 %");
  EXPECT_EQ(percent(0.0, 1), "0.0 %");
  EXPECT_EQ(percent(Count{}), kNoData);
}

TEST(ReportNumber, MinusZeroAndNoNumberAreNotPrinted) {
  EXPECT_EQ(fixed(-0.001, 2), "0.00");
  EXPECT_EQ(fixed(-0.126, 2), "−0.13");
  EXPECT_EQ(points(std::nan("")), kNoData);
  EXPECT_EQ(interval(points(-0.01), points(0.5)), "[−1.0, 50.0]");
  EXPECT_EQ(significant(7.44e-5), "7.44e−05");
  EXPECT_EQ(p_value(0.0009), "< 0.001");
  EXPECT_EQ(p_value(0.034), "0.034");
}

TEST(ReportNumber, PrintedNumbersAreReadBack) {
  const auto found = numbers_in("−1,234.50 and 7.44e−05, [3, 4], L0 H3");
  ASSERT_EQ(found.size(), 6u);
  EXPECT_EQ(found[0].value, -1234.5);
  EXPECT_EQ(found[0].decimals, 2);
  EXPECT_DOUBLE_EQ(found[1].value, 7.44e-5);
  EXPECT_EQ(found[1].decimals, 7);
  EXPECT_EQ(found[3].value, 4);
}

TEST(ReportAxis, AxesCoverTheirDataAndTicksLieOnThem) {
  for (const auto& [low, high] : {std::pair{0.0, 1.0},
                                  {-0.37, 0.021},
                                  {3e-7, 8e-7},
                                  {5.0, 5.0},
                                  {0.0, 0.0},
                                  {-1234.0, 98765.0}}) {
    const Axis axis(AxisKind::linear, low, high);
    EXPECT_LE(axis.low(), low);
    EXPECT_GE(axis.high(), high);
    const auto ticks = axis.ticks(TickStyle::plain);
    EXPECT_GE(ticks.size(), 3u) << low << " " << high;
    EXPECT_LE(ticks.size(), 12u) << low << " " << high;
    std::set<std::string> texts;
    for (const Tick& tick : ticks) {
      EXPECT_GE(tick.value, axis.low() - 1e-9 * std::abs(axis.low()));
      EXPECT_LE(tick.value, axis.high() + 1e-9 * std::abs(axis.high()));
      texts.insert(tick.text);
    }
    EXPECT_EQ(texts.size(), ticks.size()) << "two ticks read alike";
  }
}

TEST(ReportAxis, CountsHaveNoHalves) {
  for (const double most : {1.0, 2.0, 7.0, 10.0, 12.0, 24.0, 125.0, 6000.0})
    for (const int wanted : {4, 5, 7}) {
      const Axis axis(AxisKind::linear, 0, most, true, TickStyle::count);
      const auto ticks = axis.ticks(TickStyle::count, wanted);
      EXPECT_GE(ticks.size(), 2u) << most;
      for (const Tick& tick : ticks) EXPECT_EQ(tick.value, std::floor(tick.value)) << most;
    }
  EXPECT_EQ(nice_step(10, 4), 2.5);
  EXPECT_EQ(nice_step(10, 4, TickStyle::count), 5);
}

TEST(ReportAxis, LogAxesHaveDecades) {
  Axis axis(AxisKind::log, 1, 1000);
  axis.lay_out(0, 300);
  EXPECT_NEAR(axis(10), 100, 1e-9);
  const auto ticks = axis.ticks(TickStyle::count);
  ASSERT_EQ(ticks.size(), 4u);
  EXPECT_EQ(ticks[3].text, "1000");
}

TEST(ReportPalette, DarkerIsMore) {
  const auto light = [](const std::string& hex) {
    const unsigned rgb = rgb_of(hex);
    return ((rgb >> 16U) & 0xffU) + ((rgb >> 8U) & 0xffU) + (rgb & 0xffU);
  };
  for (int i = 0; i < 100; ++i)
    EXPECT_GE(light(sequential(i / 100.0)), light(sequential((i + 1) / 100.0))) << i;
  EXPECT_EQ(diverging(0), "#ffffff");
  EXPECT_NE(diverging(-0.5), diverging(0.5));
}

TEST(ReportPalette, WordsOnCellsAreWhiteOnlyWhereThatIsEasierToRead) {
  EXPECT_TRUE(is_dark("#08306b"));
  EXPECT_TRUE(is_dark("#2171b5"));
  EXPECT_FALSE(is_dark("#4292c6")) << "white would have a contrast of 3.4";
  EXPECT_FALSE(is_dark("#ffffff"));
}

TEST(ReportPalette, LineColoursCanBeReadAsText) {
  const auto luminance = [](std::string_view hex) {
    const auto part = [&](unsigned shift) {
      const double c = static_cast<double>((rgb_of(hex) >> shift) & 0xffU) / 255;
      return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0);
  };
  const auto contrast = [&](std::string_view a, std::string_view b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
  };
  for (const Ink ink :
       {Ink::ink, Ink::muted, Ink::s0, Ink::s1, Ink::s2, Ink::s3, Ink::s4, Ink::s5}) {
    EXPECT_GE(contrast(colour(ink), colour(Ink::paper)), 4.5) << class_name(ink);
    EXPECT_GE(contrast(dark_colour(ink), dark_colour(Ink::paper)), 4.5) << class_name(ink);
  }
}

TEST(ReportLabel, HeadsAreNamedAsReadersExpect) {
  EXPECT_EQ(label_of("encoder.0.self.head.3"), "Encoder L0 H3");
  EXPECT_EQ(label_of("decoder.1.cross.head.0"), "Decoder L1 cross H0");
  EXPECT_EQ(label_of("decoder.1.self"), "Decoder L1 self");
  EXPECT_EQ(label_of("encoder.0.after"), "encoder.0.after");
  EXPECT_EQ(label_of("rank 1"), "rank 1");
}

TEST(ReportLayout, LabelsAreMovedApartAndStayInside) {
  const auto placed = spread({50, 50, 51, 10}, 13, 0, 60);
  for (std::size_t i = 0; i < placed.size(); ++i)
    for (std::size_t k = i + 1; k < placed.size(); ++k)
      EXPECT_GE(std::abs(placed[i] - placed[k]), 13 - 1e-9);
  for (const double place : placed) {
    EXPECT_GE(place, 0);
    EXPECT_LE(place, 60);
  }
}

TEST(ReportPng, AKnownPictureHasItsKnownChecksums) {
  // Python's zlib.crc32 and zlib.adler32 gave these for a 1 × 1 picture of palette entry 0.
  const std::string png = png_file(1, 1, {0}, {0x010203});
  EXPECT_EQ(png.substr(0, 8), std::string("\x89PNG\r\n\x1a\n", 8));
  EXPECT_EQ(png.substr(png.size() - 4), std::string("\xae\x42\x60\x82", 4));  // IEND's
  EXPECT_NE(png.find(std::string("PLTE\x01\x02\x03", 7)), std::string::npos);
}

}  // namespace
}  // namespace heddle::report
