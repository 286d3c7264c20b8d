// The check that a report agrees with its results: it passes on what is written, and it catches.
#include "heddle/report/check/consistency.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "heddle/report/addition/document.hpp"
#include "heddle/report/document/markdown.hpp"
#include "heddle/report/document/page.hpp"
#include "tests/support/print_json.hpp"
#include "tests/support/report/study_fixture.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::report {
namespace {

struct Rendered {
  AdditionStudy study = heddle::testing::study_fixture();
  Json results = to_tree(study);
  std::string html, markdown_text;

  Rendered() { render(); }
  void render() {
    const AdditionSource source(study);
    const Document document = document_of(source);
    html = page(document);
    markdown_text = markdown(document);
  }
  /// The page with the first `from` after `start` replaced.
  std::string tampered(const std::string& start, const std::string& from,
                       const std::string& to) const {
    std::string text = html;
    const std::size_t at = text.find(from, text.find(start));
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }
  std::size_t faults(const std::string& text) const { return check_page(text, results).size(); }
};

const Rendered& rendered() {
  static const Rendered kRendered;
  return kRendered;
}

TEST(ReportConsistency, AWrittenReportAgreesWithItsResults) {
  EXPECT_EQ(check_page(rendered().html, rendered().results), std::vector<std::string>{});
  EXPECT_EQ(check_markdown(rendered().markdown_text, rendered().html), std::vector<std::string>{});
}

TEST(ReportConsistency, AChangedResultIsCaught) {
  Json results = rendered().results;
  results["members"][0]["test"]["greedy"]["correct"] = 1999;
  EXPECT_FALSE(check_page(rendered().html, results).empty());
  results = rendered().results;
  results["claims"][0]["verdict"] = "holds";
  EXPECT_FALSE(check_page(rendered().html, results).empty());
  results = rendered().results;
  results["members"].erase(0);
  EXPECT_FALSE(check_page(rendered().html, results).empty());
}

TEST(ReportConsistency, ATamperedNumberIsCaught) {
  const Rendered& r = rendered();
  EXPECT_EQ(r.faults(r.tampered("id=\"members\"", "39.60 %", "41.20 %")), 1u);
  EXPECT_EQ(r.faults(r.tampered("id=\"members\"", "792 of 2,000", "792 of 2,100")), 1u);
  EXPECT_GE(r.faults(r.tampered("id=\"answer\"", "The one head", "The 3 heads")), 1u)
      << "a number from nowhere";
  EXPECT_GE(r.faults(r.tampered("id=\"answer\"", "95 %", "99 %")), 1u) << "a constant";
  EXPECT_GE(r.faults(r.tampered("data-falls", "Encoder L1", "Encoder L0")), 1u) << "a name";
}

TEST(ReportConsistency, EachTamperedDigitOfTheAnswerIsCaught) {
  const Rendered& r = rendered();
  const std::size_t start = r.html.find("class=\"lead\""), end = r.html.find("<figure>", start);
  std::size_t tried = 0;
  bool inside_tag = true;
  for (std::size_t i = start; i < end; ++i) {
    if (r.html[i] == '<') inside_tag = true;
    if (r.html[i] == '>') inside_tag = false;
    if (inside_tag || r.html[i] < '0' || r.html[i] > '9') continue;
    std::string text = r.html;
    text[i] = text[i] == '9' ? '1' : static_cast<char>(text[i] + 1);
    EXPECT_FALSE(check_page(text, r.results).empty()) << r.html.substr(i - 40, 60);
    ++tried;
  }
  EXPECT_GT(tried, 20u);
}

TEST(ReportConsistency, ARowOutOfOrderIsCaught) {
  const Rendered& r = rendered();
  const std::size_t table = r.html.find("data-falls=\"3\"");
  const std::size_t first = r.html.find("<tr><td", table),
                    second = r.html.find("<tr><td", first + 1),
                    third = r.html.find("<tr><td", second + 1);
  const std::string text = r.html.substr(0, first) + r.html.substr(second, third - second) +
                           r.html.substr(first, second - first) + r.html.substr(third);
  const auto faults = check_page(text, r.results);
  ASSERT_GE(faults.size(), 3u);  // two ranks and one drop
  EXPECT_NE(faults[0].find("rank"), std::string::npos);
}

TEST(ReportConsistency, ADifferentMarkdownFileIsCaught) {
  std::string text = rendered().markdown_text;
  const std::size_t at = text.find("39.60");
  text.replace(at, 5, "39.61");
  const auto faults = check_markdown(text, rendered().html);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_NE(faults[0].find("39.60 in the page and 39.61"), std::string::npos) << faults[0];
}

TEST(ReportConsistency, RoundingUpToAllIsCaught) {
  Rendered r;
  r.study.members[0].test.greedy.correct = 199'999;
  r.study.members[0].test.greedy.total = 200'000;
  r.results = to_tree(r.study);
  r.render();
  EXPECT_EQ(check_page(r.html, r.results), std::vector<std::string>{});
  EXPECT_GE(r.faults(r.tampered("id=\"members\"", "99.9995 %", "100.0 %")), 1u);
}

TEST(ReportConsistency, TwoRoundingsOfOneNumberAreCaught) {
  Rendered r;
  r.study.members[0].ablation.heads[0].drop = 0.4525;  // between 45.2 and 45.3
  r.study.members[0].test.greedy = {.correct = 1, .total = 160};
  r.results = to_tree(r.study);
  r.render();
  EXPECT_EQ(check_page(r.html, r.results), std::vector<std::string>{});
  EXPECT_EQ(r.html.find("45.2<"), std::string::npos);
  const std::string text = r.tampered("ablation.heads.0.drop", "45.3", "45.2");
  const auto faults = check_page(text, r.results);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_NE(faults[0].find("'45.2' should be 45.25, rounded half away from zero"),
            std::string::npos)
      << faults[0];
  EXPECT_EQ(r.faults(r.tampered("id=\"members\"", "0.63 %", "0.62 %")), 1u) << "1 of 160";
}

/// The page with the first `from` inside a figure's mark that has `start` replaced.
std::string tampered_figure(const Rendered& r, const std::string& start, const std::string& from,
                            const std::string& to) {
  return r.tampered("<tspan data-how=\"" + start, from, to);
}

TEST(ReportConsistency, TwoRoundingsInAFigureAreCaught) {
  Rendered r;
  std::vector<Effect>& heads = r.study.members[0].ablation.heads;
  const auto shown = std::ranges::find(heads, AblationMode::mean, &Effect::mode);
  ASSERT_NE(shown, heads.end());
  shown->drop = 0.4525;  // between 45.2 and 45.3
  r.results = to_tree(r.study);
  r.render();
  EXPECT_EQ(check_page(r.html, r.results), std::vector<std::string>{});
  const std::string mark =
      fmt::format("points\" data-from=\"members.0.ablation.heads.{}.drop\"", shown - heads.begin());
  const auto faults = check_page(tampered_figure(r, mark, "45.3", "45.2"), r.results);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_NE(faults[0].find("should be 45.25"), std::string::npos) << faults[0];
  EXPECT_EQ(r.faults(tampered_figure(r, "median-share", " %<", "1 %<")), 1u) << "a median";
  EXPECT_EQ(r.faults(tampered_figure(r, "part:4", "0.91", "0.92")), 1u) << "a step of the carry";
}

TEST(ReportConsistency, EveryFigureOfAStudyIsChecked) {
  const AdditionSource source(rendered().study);
  std::size_t figures = 0, numbers = 0;
  for (const Section& section : document_of(source).sections)
    for (const Block& block : section.blocks)
      if (const auto* figure = std::get_if<Figure>(&block)) {
        EXPECT_EQ(check_figure(figure->svg, rendered().results), std::vector<std::string>{})
            << figure->file;
        ++figures;
        for (std::size_t at = figure->svg.find("<tspan"); at != std::string::npos;
             at = figure->svg.find("<tspan", at + 1))
          ++numbers;
      }
  EXPECT_GT(figures, 12u);
  EXPECT_GT(numbers, 100u);
}

TEST(ReportConsistency, AFiguresNumberFromNowhereIsCaught) {
  const auto faults = check_figure(
      "<svg><text x=\"1\">41.62 %</text><text data-how=\"scale\">2.5</text>"
      "<text x=\"2\">Whiskers: 95 % intervals of 16 seeds, Encoder L0</text></svg>",
      rendered().results);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_NE(faults[0].find("'41.62 %' is a number that comes from nowhere"), std::string::npos);
}

TEST(ReportConsistency, AReproductionThatIsNoMedianIsCaught) {
  Rendered r;
  r.study.members.resize(2);
  r.study.members[0].recipe = r.study.members[1].recipe = "reported";
  r.study.members[0].test.greedy = {.correct = 333, .total = 800};  // 41.625 %
  r.study.members[1].test.greedy = {.correct = 333, .total = 800};
  r.study.reproductions = {{.report = "A",
                            .quantity = "greedy accuracy",
                            .reported = "41.20 %",
                            .with_defect = "41.63 % (median of 2)",
                            .truth = "not in this study",
                            .cause = ""}};
  EXPECT_EQ(check_page("", to_tree(r.study)), std::vector<std::string>{});
  r.study.reproductions[0].with_defect = "41.62 % (median of 2)";
  const auto faults = check_page("", to_tree(r.study));
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_NE(faults[0].find("'41.62 % (median of 2)' is no recipe's median"), std::string::npos);
}

TEST(ReportConsistency, ABareStudyIsTold) {
  const AdditionStudy study = heddle::testing::bare_study();
  const AdditionSource source(study);
  const Document document = document_of(source);
  EXPECT_EQ(check_page(page(document), to_tree(study)), std::vector<std::string>{});
  EXPECT_EQ(check_markdown(markdown(document), page(document)), std::vector<std::string>{});
}

TEST(ReportSource, ACopyIsNoPartOfTheStudy) {
  const AdditionStudy study = heddle::testing::bare_study();
  const AdditionSource source(study);
  const double copy = study.members[0].test.loss;
  EXPECT_EQ(source.path(&study.members[0].test.loss), "members.0.test.loss");
  EXPECT_NE(message_of<Error>([&] { (void)source.number(copy, 2); }), "no error");
}

}  // namespace
}  // namespace heddle::report
