// Figures as files: well formed, in the palette's colours, nothing outside, no labels on labels.
#include "heddle/report/addition/figures.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "heddle/report/document/write.hpp"
#include "heddle/report/draw/chart.hpp"
#include "heddle/report/draw/heatmap.hpp"
#include "heddle/report/draw/svg.hpp"
#include "tests/support/report/figure_checks.hpp"
#include "tests/support/report/study_fixture.hpp"
#include "tests/support/report/xml.hpp"

namespace heddle::report {
namespace {

using heddle::testing::expect_sound;
using heddle::testing::read_xml;
using heddle::testing::XmlElement;

std::vector<FileText> drawn(const AdditionStudy& study) {
  return heddle::testing::only_figures(report_files(study));
}

TEST(ReportFigures, EveryFigureOfAFullStudyIsSound) {
  for (const int members : {1, 3, 8})
    for (const FileText& file : drawn(heddle::testing::study_fixture(members))) expect_sound(file);
}

TEST(ReportFigures, AFullStudyHasThemAll) {
  std::set<std::string> names;
  for (const FileText& file : drawn(heddle::testing::study_fixture())) names.insert(file.path);
  for (const char* name :
       {"learning_curves", "population_profile", "critical_module", "roles", "pruning_curves",
        "redundancy_map", "carry_circuit", "probes", "through_training", "attention_averages",
        "defect", "role_map", "sharpness", "carry_flow"})
    EXPECT_TRUE(names.contains(std::string("figures/") + name + ".svg")) << name;
  for (const char* name :
       {"head_analysis/head_importance.svg", "attention_patterns/example_0_model.svg",
        "attention_patterns/example_1_decoder.1.cross.svg",
        "attention_patterns/average_2_carries_model.svg"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(ReportFigures, TheSameStudyGivesTheSameBytes) {
  const auto a = report_files(heddle::testing::study_fixture()),
             b = report_files(heddle::testing::study_fixture());
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i].text == b[i].text) << a[i].path;
}

TEST(ReportFigures, MissingDataIsNoCrash) {
  for (const FileText& file : drawn(heddle::testing::bare_study()))
    EXPECT_EQ(read_xml(file.text).fault, "") << file.path;
  AdditionStudy holes = heddle::testing::study_fixture(1);
  for (MemberRecord& member : holes.members) {
    for (Effect& effect : member.ablation.heads)
      effect.drop = effect.low = effect.high = std::nan("");
    for (PatchEffect& effect : member.patching.stream) effect.effect = std::nan("");
    for (ProbeResult& probe : member.probing.probes) probe.accuracy = std::nan("");
    member.curve.clear();
    member.snapshots.resize(1);
  }
  for (const FileText& file : drawn(holes)) EXPECT_EQ(read_xml(file.text).fault, "") << file.path;
  EXPECT_NO_THROW((void)report_files(AdditionStudy{}));
}

MapFigure map_of(std::size_t side) {
  MapFigure figure;
  figure.text = {.title = "t", .subtitle = "s", .caption = "c"};
  Map map;
  for (std::size_t i = 0; i < side; ++i) {
    map.rows.push_back(std::to_string(i));
    map.columns.push_back(std::to_string(i));
    for (std::size_t k = 0; k < side; ++k)
      map.values.push_back(k > i ? std::nan("") : 1.0 / static_cast<double>(i + 1));
  }
  figure.maps = {map};
  figure.cell = 30;
  return figure;
}

TEST(ReportHeatmap, MaskedIsToldFromZero) {
  MapFigure figure = map_of(3);
  figure.maps[0].values[6] = 0;
  const auto xml = read_xml(draw(figure));
  const auto hatched = std::ranges::count_if(xml.elements, [](const XmlElement& element) {
    const auto fill = element.attributes.find("fill");
    return fill != element.attributes.end() && fill->second == "url(#hatch)";
  });
  EXPECT_EQ(hatched, 3 + 1);  // three cells and the key
}

TEST(ReportHeatmap, ALargeMapIsOnePicture) {
  const std::string large = draw(map_of(256)), small = draw(map_of(64));
  EXPECT_EQ(read_xml(large).fault, "");
  EXPECT_NE(large.find("<image"), std::string::npos);
  EXPECT_EQ(small.find("<image"), std::string::npos);
  EXPECT_LT(large.size(), 200'000u);
}

TEST(ReportChart, AxesCoverBandsAndIntervals) {
  LinePanel panel;
  Series series;
  series.x = {1, 10, 100};
  series.y = {0.2, 0.5, 0.9};
  series.low = {-0.3, 0.4, 0.8};
  series.high = {0.3, 0.7, 1.7};
  panel.series = {series};
  panel.x_kind = AxisKind::log;
  EXPECT_LE(y_axis(panel).low(), -0.3);
  EXPECT_GE(y_axis(panel).high(), 1.7);
  EXPECT_EQ(x_axis(panel).low(), 1);
  BarFigure bars;
  bars.bars = {
      {.label = "a", .value = 2, .low = -3, .high = 7, .ink = Ink::s0, .note = "", .group = ""}};
  EXPECT_LE(bar_axis(bars).low(), -3);
  EXPECT_GE(bar_axis(bars).high(), 7);
}

TEST(ReportChart, TheTrainingRangeIsShadedAndTicksDoNotTouch) {
  LinePanel panel;
  Series series;
  series.x = {8, 64, 4096};
  series.y = {1e-6, 0.5, 0};
  panel.series = {series};
  panel.x_kind = panel.y_kind = AxisKind::log;
  panel.x_ticks = octaves(1, 1e9);
  panel.shade = ShadedRange{.from = 8, .to = 16, .label = "trained"};
  EXPECT_EQ(y_axis(panel).low(), 1e-6) << "0 is not on a log axis";
  LineFigure figure;
  figure.text = {.title = "t", .subtitle = "s", .caption = "c"};
  figure.panels = {panel, panel, panel, panel};
  figure.columns = 4;
  const std::string svg = draw(figure);
  expect_sound({.path = "ticks", .text = svg});
  EXPECT_NE(svg.find("fill-opacity=\"0.1\""), std::string::npos);
}

TEST(ReportSvg, ALongTextIsFittedInAMoment) {
  const std::string token(1 << 22, 'x');  // letter by letter from its end it would take days
  const std::string cut = fitted(token, 10, 100);
  EXPECT_EQ(cut.size(), 16 + std::string("…").size());  // (17 + 1) · 0.56 · 10 is too wide
  EXPECT_LE(text_width(cut, 10), 100);
  EXPECT_GT(text_width(cut + "x", 10), 100);
  EXPECT_EQ(fitted("short", 10, 100), "short");
  EXPECT_EQ(fitted("ßßßß", 10, 15), "ß…");  // never half a letter
  EXPECT_EQ(fitted("ab", 10, 1), "…");
}

TEST(ReportSvg, TextIsEscaped) {
  Svg svg(100, 50);
  svg.text(1, 20, "a<b>&\"'\x01", {});
  const auto xml = read_xml(svg.finish("<title>", "a & b"));
  EXPECT_EQ(xml.fault, "");
  EXPECT_EQ(xml.elements.back().text, "a&lt;b&gt;&amp;&quot;&#39; ");
}

}  // namespace
}  // namespace heddle::report
