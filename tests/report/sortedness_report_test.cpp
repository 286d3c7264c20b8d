// The report on a sortedness study: its numbers are those of its results, its figures can be
// printed, its files are there.
#include <algorithm>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/report/check/consistency.hpp"
#include "heddle/report/document/markdown.hpp"
#include "heddle/report/document/page.hpp"
#include "heddle/report/document/write.hpp"
#include "heddle/report/sortedness/document.hpp"
#include "heddle/report/sortedness/figures.hpp"
#include "tests/support/print_json.hpp"
#include "tests/support/report/figure_checks.hpp"
#include "tests/support/report/sortedness_fixture.hpp"
#include "tests/support/report/study_fixture.hpp"
#include "tests/support/report/xml.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::report {
namespace {

using heddle::testing::bare_sortedness;
using heddle::testing::expect_sound;
using heddle::testing::only_figures;
using heddle::testing::read_xml;
using heddle::testing::sortedness_fixture;

struct RenderedSortedness {
  SortednessStudy study = sortedness_fixture();
  Json results = to_tree(study);
  std::string html, markdown_text;

  RenderedSortedness() {
    const SortSource source(study);
    const Document document = document_of(source);
    html = page(document);
    markdown_text = markdown(document);
  }
  std::size_t faults(const std::string& start, const std::string& from,
                     const std::string& to) const {
    std::string text = html;
    const std::size_t at = text.find(from, text.find(start));
    EXPECT_NE(at, std::string::npos) << from;
    return check_page(text.replace(at, from.size(), to), results).size();
  }
};

const RenderedSortedness& rendered_sortedness() {
  static const RenderedSortedness kRendered;
  return kRendered;
}

/// The cells of a line of a Markdown table.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  for (std::size_t at = line.find('|'); at + 1 < line.size(); at = line.find('|', at + 1)) {
    const std::size_t end = line.find('|', at + 1);
    if (end == std::string_view::npos) break;
    cells.emplace_back(line.substr(at + 2, end - at - 3));
  }
  return cells;
}

TEST(SortednessReport, WordsStandBelowTheirHeading) {
  const std::string& text = rendered_sortedness().markdown_text;
  std::size_t at = text.find("| recipe | what it is |");
  ASSERT_NE(at, std::string::npos);
  const auto line = [&] {
    const std::size_t end = text.find('\n', at);
    return text.substr(std::exchange(at, end + 1), end - at);
  };
  const std::vector<std::string> heads = cells_of(line());
  const auto constant = std::ranges::find(heads, "constant") - heads.begin();
  const auto learned = std::ranges::find(heads, "learned") - heads.begin();
  (void)line();  // the rule below the headings
  std::set<std::string> said;
  while (text[at] == '|') {
    const std::vector<std::string> cells = cells_of(line());
    ASSERT_EQ(cells.size(), heads.size());
    said.insert(cells[to_size(constant)]);
    EXPECT_NE(cells[to_size(learned)].find(" of "), std::string::npos);
  }
  for (const std::string& words : said) EXPECT_TRUE(words.ends_with(" seed")) << words;
  EXPECT_TRUE(said.contains("every seed"));
}

TEST(SortednessReport, AgreesWithItsResults) {
  EXPECT_EQ(check_page(rendered_sortedness().html, rendered_sortedness().results),
            std::vector<std::string>{});
  EXPECT_EQ(check_markdown(rendered_sortedness().markdown_text, rendered_sortedness().html),
            std::vector<std::string>{});
}

TEST(SortednessReport, AChangedResultIsCaught) {
  Json results = rendered_sortedness().results;
  results["populations"][1]["estimates"][0]["median"] = 0.123;
  EXPECT_FALSE(check_page(rendered_sortedness().html, results).empty());
  results = rendered_sortedness().results;
  results["populations"][0]["learned"] = 2;
  EXPECT_FALSE(check_page(rendered_sortedness().html, results).empty());
  results = rendered_sortedness().results;
  results["members"][0]["best_step"] = 17;
  EXPECT_FALSE(check_page(rendered_sortedness().html, results).empty());
}

TEST(SortednessReport, ATamperedNumberIsCaught) {
  const RenderedSortedness& r = rendered_sortedness();
  EXPECT_EQ(r.faults("id=\"answer\"", ">4,096<", ">4,097<"), 1u);
  EXPECT_EQ(r.faults("id=\"answer\"", "50 %", "51 %"), 1u) << "a constant";
  EXPECT_GE(r.faults("id=\"learned\"", "Question", "7 questions"), 1u) << "from nowhere";
  EXPECT_GE(r.faults("id=\"recipe\"", "alibi-max", "rope-max"), 1u) << "a name";
}

TEST(SortednessReport, OpensWithThreeSentencesAndOnePicture) {
  const SortSource source(rendered_sortedness().study);
  const Section answer = answer_section(source);
  ASSERT_EQ(answer.blocks.size(), 4u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(std::get<Paragraph>(answer.blocks[i]).lead);
  EXPECT_EQ(std::get<Figure>(answer.blocks[3]).file, "extrapolation_curves.svg");
}

TEST(SortednessReport, EveryFigureIsSound) {
  for (const int seeds : {1, 3, 8})
    for (const FileText& file : only_figures(report_files(sortedness_fixture(seeds))))
      expect_sound(file);
}

TEST(SortednessReport, HasEveryFile) {
  std::set<std::string> names;
  for (const FileText& file : report_files(sortedness_fixture())) names.insert(file.path);
  for (const char* name : {"extrapolation_curves.svg",
                           "encoding_comparison.svg",
                           "learned_position_embeddings.svg",
                           "extrapolation_results.json",
                           "training_log.json",
                           "report.md",
                           "index.html",
                           "figures/extrapolation_mean.svg",
                           "figures/extrapolation_max.svg",
                           "figures/extrapolation_multi.svg",
                           "figures/kinds.svg",
                           "figures/recipe.svg",
                           "figures/learned.svg",
                           "figures/ingredients.svg",
                           "figures/reports.svg",
                           "figures/dilution.svg",
                           "figures/identity.svg",
                           "figures/attention_maps.svg",
                           "figures/learning_curves.svg",
                           "figures/learning_curves_contrast.svg",
                           "figures/learning_curves_reports.svg",
                           "tables/cells.csv",
                           "tables/estimates.csv",
                           "tables/members.csv",
                           "tables/learning_curves.csv",
                           "tables/explanations.csv",
                           "tables/claims.csv"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(SortednessReport, TheSameStudyGivesTheSameBytes) {
  const auto a = report_files(sortedness_fixture()), b = report_files(sortedness_fixture());
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i].text == b[i].text) << a[i].path;
}

TEST(SortednessReport, MissingDataIsNoCrash) {
  const SortednessStudy bare = bare_sortedness();
  for (const FileText& file : only_figures(report_files(bare)))
    EXPECT_EQ(read_xml(file.text).fault, "") << file.path;
  const SortSource source(bare);
  const Document document = document_of(source);
  EXPECT_EQ(check_page(page(document), to_tree(bare)), std::vector<std::string>{});
  EXPECT_NO_THROW((void)report_files(SortednessStudy{}));
}

TEST(SortednessReport, APoolingThatReadsOrderIsMarked) {
  const std::string svg = extrapolation_of_pooling(sortedness_fixture(), "multi");
  EXPECT_NE(svg.find("reads order"), std::string::npos);
  EXPECT_EQ(extrapolation_of_pooling(sortedness_fixture(), "max").find("reads order"),
            std::string::npos);
  EXPECT_NE(rendered_sortedness().markdown_text.find("multi (reads order)"), std::string::npos);
}

TEST(SortednessReport, TheReportsCurvesAreFaintAndOnlyBesideTheirOwnNegatives) {
  const auto faint = [](const SortednessStudy& study) {
    const std::string svg = extrapolation_of_pooling(study, "mean");
    std::size_t count = 0;
    for (std::size_t at = svg.find("stroke-opacity=\"0.45\""); at != std::string::npos;
         at = svg.find("stroke-opacity=\"0.45\"", at + 1))
      ++count;
    return count;
  };
  SortednessStudy study = sortedness_fixture();
  EXPECT_EQ(faint(study), 2u * 2u);  // two curves, on swaps of uniform and of windowed values
  std::erase_if(study.explanations, [](const auto& item) { return item.id == "reported"; });
  EXPECT_EQ(faint(study), 1u * 2u) << "without curves, the reproductions that name a length";
  study.reproductions.clear();
  EXPECT_EQ(faint(study), 0u);
}

TEST(SortednessReport, ReportedCurvesComeFromReproductionsToo) {
  SortednessStudy study;
  const auto row = [](const char* quantity, const char* reported) {
    Reproduction made;
    made.report = "A, C";
    made.quantity = quantity;
    made.reported = reported;
    return made;
  };
  study.reproductions = {row("sinusoidal at 32, the reports' set", ".454"),
                         row("learned at 32, the reports' set", ".546"),
                         row("sinusoidal at 256, the reports' set", ".512"), row("steps", "3"),
                         row("none at once", ".5")};
  const auto curves = reported_curves(study);
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[0].label, "A, C: sinusoidal");
  EXPECT_EQ(curves[0].x, (std::vector<double>{32, 256}));
  EXPECT_EQ(curves[0].y, (std::vector<double>{.454, .512}));
}

TEST(SortednessReport, ManyLinesTakeSeveralRowsOfPanelsAndKeepTheirColours) {
  SortednessStudy study = sortedness_fixture(1);
  const auto panels = [&] {
    const std::string svg = extrapolation_of_pooling(study, "max");
    expect_sound({.path = "many lines", .text = svg});
    std::size_t count = 0;
    for (std::size_t at = svg.find(">adjacent, "); at != std::string::npos;
         at = svg.find(">adjacent, ", at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(panels(), 2u);
  for (int i = 0; i < 9; ++i) {
    SortPopulation other = study.populations[5];
    other.recipe += std::string(to_size(i), 'x');
    study.populations.push_back(other);
  }
  EXPECT_EQ(panels(), 4u);
}

TEST(SortednessReport, ALongTableHasARowPerMeasureOfEveryCell) {
  const SortednessStudy study = sortedness_fixture(2);
  for (const FileText& file : tables(study)) {
    const auto lines = split(file.text, '\n');
    const auto commas = std::ranges::count(lines[0], ',');
    ASSERT_GT(lines.size(), 3u) << file.path;
    if (file.path == "tables/cells.csv") {
      std::size_t cells = 0;
      for (const SortMember& member : study.members) cells += member.cells.size();
      EXPECT_EQ(lines.size(), 1 + 14 * cells + 1);
      EXPECT_EQ(lines[0], "recipe,seed,length,kind,delta,values,measure,value,low,high");
      for (std::size_t i = 1; i + 1 < lines.size(); ++i)
        ASSERT_EQ(std::ranges::count(lines[i], ','), commas) << lines[i];
    }
  }
}

TEST(SortednessReport, IsWrittenReadAndKnown) {
  const TempFolder folder;
  EXPECT_FALSE(is_sortedness(folder.path()));
  const SortednessStudy study = sortedness_fixture(1);
  write_file(folder / "results.json", to_tree(study).dump());
  EXPECT_TRUE(is_sortedness(folder.path()));
  const auto written = write_report(study, folder.path());
  EXPECT_EQ(read_file(folder / "index.html"),
            report_files(read_sortedness(folder.path())).back().text);
  EXPECT_GT(written.files.size(), 20u);
  EXPECT_NE(message_of<FileError>([&] {
              (void)read_study(folder.path());
            }).find("not the results of an addition study"),
            std::string::npos);
  const std::string whole = to_tree(study).dump();
  write_file(folder / "results.json", whole.substr(0, whole.size() / 2));
  EXPECT_FALSE(is_sortedness(folder.path()));
  EXPECT_NE(message_of<FileError>([&] { (void)read_sortedness(folder.path()); }).find("cut off"),
            std::string::npos);
  write_file(folder / "results.json", to_tree(heddle::testing::bare_study()).dump());
  EXPECT_FALSE(is_sortedness(folder.path()));
}

TEST(SortednessReport, TheOverviewLeadsToBothStudies) {
  const TempFolder folder;
  EXPECT_NE(message_of<FileError>([&] { write_overview(folder.path()); }), "no error");
  make_folder(folder / "addition");
  make_folder(folder / "sortedness");
  write_file(folder / "addition/results.json", to_tree(heddle::testing::study_fixture(1)).dump());
  write_overview(folder.path());
  EXPECT_EQ(read_file(folder / "index.html").find("sortedness/index.html"), std::string::npos);
  write_file(folder / "sortedness/results.json", to_tree(sortedness_fixture(1)).dump());
  write_overview(folder.path());
  const std::string html = read_file(folder / "index.html");
  for (const char* words :
       {"href=\"addition/index.html\"", "href=\"sortedness/index.html\"", "class=\"lead\"",
        "href=\"sortedness/extrapolation_curves.svg\"", "Which positions extrapolate?"})
    EXPECT_NE(html.find(words), std::string::npos) << words;
}

}  // namespace
}  // namespace heddle::report
