// Figures of every kind as they were when somebody last looked at them, and what must hold of any.
//
// A change that is meant: HEDDLE_RENEW_GOLDEN=1 build/release/heddle_tests
// --gtest_filter='ReportGolden*' writes tests/golden/figures anew; look at every picture that
// changed before you keep it.
#include "tests/support/report/golden_figures.hpp"

#include <cmath>
#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "tests/support/report/figure_checks.hpp"
#include "tests/support/report/xml.hpp"

namespace heddle::report {
namespace {

using heddle::testing::golden_figures;

constexpr double kUnit = 0.011;  // another machine may round the last decimal the other way

const std::string& golden_folder() {
  static const std::string kFolder = std::string(HEDDLE_TEST_DATA) + "/golden/figures/";
  return kFolder;
}

/// Takes a number like "12.5" off the front; empty if there is none.
std::string take_number(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string number(text.substr(0, end));
  text.remove_prefix(end);
  return number;
}

/// Where two figures differ, other than by a rounding of a coordinate; empty: nowhere.
std::string difference(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const std::string_view here = a;
    const std::string x = take_number(a), y = take_number(b);
    const auto first = parse_double(x), second = parse_double(y);
    const bool near = first && second && std::abs(*first - *second) <= kUnit;
    if (x != y && !near) return std::string(here.substr(0, 60));
    if (a.empty() || b.empty()) break;
    if (a[0] != b[0]) return std::string(here.substr(0, 60));
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.empty() && b.empty() ? "" : "one of them is longer";
}

TEST(ReportGolden, FiguresAreAsTheyWere) {
  const bool renew =
      std::getenv("HEDDLE_RENEW_GOLDEN") != nullptr;  // NOLINT(concurrency-mt-unsafe)
  for (const FileText& figure : golden_figures()) {
    const std::string path = golden_folder() + figure.path;
    if (renew) write_file(path, figure.text);
    ASSERT_TRUE(file_exists(path)) << path;
    EXPECT_EQ(difference(figure.text, read_file(path)), "") << figure.path;
  }
}

TEST(ReportGolden, ADifferenceIsSeen) {
  EXPECT_EQ(difference("x=\"1.25\" y=\"3\"", "x=\"1.26\" y=\"3\""), "");
  EXPECT_NE(difference("x=\"1.25\" y=\"3\"", "x=\"1.35\" y=\"3\""), "");
  EXPECT_NE(difference("<text>one", "<text>two"), "");
  EXPECT_NE(difference("<text>one", "<text>one<"), "");
  EXPECT_NE(difference("#08306b", "#08306c"), "");
}

TEST(ReportGolden, EveryKindIsSound) {
  std::set<std::string> names;
  for (const FileText& figure : golden_figures()) {
    heddle::testing::expect_sound(figure);
    EXPECT_TRUE(names.insert(figure.path).second) << figure.path;
  }
  EXPECT_GE(names.size(), 16u);
}

TEST(ReportGolden, TheSameDataGivesTheSameBytes) {
  const auto a = golden_figures(), b = golden_figures();
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i].text == b[i].text) << a[i].path;
}

/// The outermost ticks reach as far as the data, or the axis ends with it.
void expect_covers(const Axis& axis, double low, double high) {
  EXPECT_LE(axis.low(), low);
  EXPECT_GE(axis.high(), high);
  const auto ticks = axis.ticks(TickStyle::plain);
  ASSERT_GE(ticks.size(), 2u);
  EXPECT_GE(ticks.front().value, axis.low() * (1 - 1e-9) - 1e-9);
  EXPECT_LE(ticks.back().value, axis.high() * (1 + 1e-9) + 1e-9);
}

TEST(ReportGolden, AxesCoverTheirData) {
  for (const AxisKind kind : {AxisKind::linear, AxisKind::log}) {
    const LinePanel panel = heddle::testing::golden_lines(kind, kind).panels[0];
    for (const Series& line : panel.series) {
      expect_covers(x_axis(panel), line.x.front(), line.x.back());
      expect_covers(y_axis(panel), line.low.back(), line.high.front());
    }
  }
  for (const bool dots : {false, true}) {
    const BarFigure bars = heddle::testing::golden_bars(dots);
    for (const Bar& bar : bars.bars)
      if (std::isfinite(bar.low)) expect_covers(bar_axis(bars), bar.low, bar.high);
  }
  const ScatterFigure scatter = heddle::testing::golden_scatter();
  for (const ScatterPoint& spot : scatter.spots) {
    expect_covers(x_axis(scatter), spot.x, spot.x);
    expect_covers(y_axis(scatter), spot.y, spot.y);
    if (!spot.faint) expect_covers(y_axis(scatter), spot.low, spot.high);
  }
}

TEST(ReportGolden, NamesOfPointsThatTouchAreLeftOutRatherThanPrintedOnEachOther) {
  const auto xml = heddle::testing::read_xml(draw(heddle::testing::golden_scatter()));
  std::size_t named = 0;
  for (const auto& element : xml.elements)
    named += element.text.starts_with("Encoder L0") ? 1U : 0U;
  EXPECT_GE(named, 5u) << "of six";
}

TEST(ReportGolden, ALargeMapIsOnePictureAndASmallOneIsNot) {
  for (const FileText& figure : golden_figures()) {
    const bool picture = figure.text.find("<image") != std::string::npos;
    EXPECT_EQ(picture, figure.path == "map_large.svg") << figure.path;
    EXPECT_LT(figure.text.size(), 150'000u) << figure.path;
  }
}

}  // namespace
}  // namespace heddle::report
