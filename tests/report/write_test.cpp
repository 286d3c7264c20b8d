// The report as a folder of files, and reading results back.
#include "heddle/report/document/write.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/process.hpp"
#include "heddle/base/text.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/report/check/consistency.hpp"
#include "heddle/report/document/compare.hpp"
#include "tests/support/print_json.hpp"
#include "tests/support/report/sortedness_fixture.hpp"
#include "tests/support/report/study_fixture.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::report {
namespace {

TEST(ReportWrite, AStudyIsWrittenReadAndDrawnAgainTheSame) {
  const TempFolder folder;
  const AdditionStudy study = heddle::testing::study_fixture();
  write_file(folder / "results.json", to_tree(study).dump());
  std::size_t calls = 0;
  const WrittenReport written = write_report(
      study, folder.path(), [&](std::size_t, std::size_t, const std::string&) { ++calls; });
  EXPECT_EQ(calls, written.files.size() + 1);
  for (const char* name :
       {"index.html", "report.md", "training_log.json", "tables/ablation.csv", "tables/claims.csv",
        "tables/learning_curves.csv", "tables/patching.csv", "tables/probes.csv",
        "tables/pruning.csv", "tables/snapshots.csv", "tables/specialisation.csv",
        "head_analysis/ablation_results.json", "head_analysis/head_specialization.json",
        "head_analysis/head_importance.svg"})
    EXPECT_TRUE(file_exists(folder / name)) << name;
  const std::string html = read_file(folder / "index.html");
  const std::string again = report_files(read_study(folder.path())).back().text;
  EXPECT_TRUE(html == again);
  EXPECT_EQ(check_page(html, Json::parse(read_file(folder / "results.json"))),
            std::vector<std::string>{});
}

TEST(ReportWrite, APictureIsDrawnAgainOnlyIfItsFigureChanged) {
  const TempFolder folder;
  const SortednessStudy study = heddle::testing::sortedness_fixture(1);
  if (!write_report(study, folder.path()).note.empty()) GTEST_SKIP() << "no rsvg-convert here";
  const std::string one = folder / "figures/kinds", other = folder / "figures/recipe";
  const auto mark = [](const std::string& path) {
    write_file(path + ".png", std::string_view("an old picture"));
  };
  mark(one);
  mark(other);
  write_file(other + ".svg", std::string_view("another figure"));
  EXPECT_EQ(write_report(study, folder.path()).note, "");
  EXPECT_EQ(read_file(one + ".png"), "an old picture");
  EXPECT_NE(read_file(other + ".png"), "an old picture");
}

TEST(ReportWrite, ThePageNeedsNoNetwork) {
  for (const FileText& file : report_files(heddle::testing::study_fixture(1))) {
    if (file.path != "index.html") continue;
    for (const char* word : {"http://", "https://", "src=\"", "@import", "fetch("}) {
      std::string text = file.text;  // the names of XML vocabularies are no addresses to load
      for (std::size_t at = text.find("http://www.w3.org/"); at != std::string::npos;
           at = text.find("http://www.w3.org/"))
        text.erase(at, 18);
      EXPECT_EQ(text.find(word), std::string::npos) << word;
    }
  }
}

TEST(ReportWrite, TextsOfTheStudyCannotBecomeMarkup) {
  AdditionStudy study = heddle::testing::study_fixture(1);
  study.claims[0].statement = "<script>alert(1)</script> | **bold** </script>";
  study.members[0].pictures[2].name = "</script><script>";
  for (const FileText& file : report_files(study)) {
    if (file.path == "index.html") {
      std::size_t scripts = 0;
      for (std::size_t at = file.text.find("<script"); at != std::string::npos;
           at = file.text.find("<script", at + 1))
        ++scripts;
      EXPECT_EQ(scripts, 3u);  // data of the attention browser and of the slider, and the script
    }
    if (file.path == "report.md") {
      EXPECT_NE(file.text.find("\\| \\*\\*bold"), std::string::npos);
    }
  }
}

TEST(ReportWrite, TablesAreLongAndRectangular) {
  for (const FileText& file : tables(heddle::testing::study_fixture(2))) {
    const auto lines = split(file.text, '\n');
    const auto cells = std::ranges::count(lines[0], ',');
    ASSERT_GT(lines.size(), 3u) << file.path;
    if (file.path == "tables/claims.csv") continue;  // its texts have commas, in quotes
    for (std::size_t i = 1; i + 1 < lines.size(); ++i)
      EXPECT_EQ(std::ranges::count(lines[i], ','), cells) << file.path << ": " << lines[i];
  }
}

/// Writes the report of a study that names lead astray; nothing may be written at all.
template <class Study>
void expect_kept_inside(const Study& study) {
  const TempFolder folder;
  make_folder(folder / "study");
  const std::string said =
      message_of<FileError>([&] { (void)write_report(study, folder / "study"); });
  EXPECT_NE(said.find("a name that no file of a report can have"), std::string::npos) << said;
  EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"study"});
  EXPECT_TRUE(std::filesystem::is_empty(folder / "study"));
}

/// A study whose one picture is of this module.
AdditionStudy study_of_module(const std::string& module) {
  AdditionStudy study = heddle::testing::bare_study();
  AttentionPicture& picture = study.members[0].pictures[0];
  picture.modules = {{.module = module, .heads = 1, .queries = 1, .keys = 1, .weights = {1}}};
  return study;
}

TEST(ReportWrite, NamesInTheResultsLeadNowhereElse) {
  for (const char* name : {"/../../../X", "x/y", "..", "a\nb", "a\x1b[2J", "\u202e", "a\\b"})
    expect_kept_inside(study_of_module(name));
  SortednessStudy sorted = heddle::testing::sortedness_fixture(1);
  for (SortPopulation& population : sorted.populations) population.pooling = "/../../../X";
  expect_kept_inside(sorted);
  const TempFolder folder;
  EXPECT_NO_THROW((void)write_report(study_of_module("encoder.0.self"), folder.path()));
  EXPECT_TRUE(file_exists(folder / "attention_patterns/example_0_encoder.0.self.svg"));
}

TEST(ReportWrite, AHostileResultsFileIsNoWayOut) {
  const TempFolder folder;
  make_folder(folder / "study");
  write_file(folder / "study/results.json", to_tree(study_of_module("/../../../X")).dump());
  EXPECT_THROW((void)write_report(read_study(folder / "study"), folder / "study"), FileError);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"study"});
}

TEST(ReportWrite, SizesThatDoNotAgreeAreRefused) {
  const TempFolder folder;
  const auto said = [&](const AdditionStudy& study) {
    write_file(folder / "results.json", to_tree(study).dump());
    return message_of<FileError>([&] { (void)read_study(folder.path()); });
  };
  AdditionStudy study = study_of_module("encoder.0.self");
  EXPECT_EQ(said(study), "no error");
  AttentionGrid& grid = study.members[0].pictures[0].modules[0];
  for (const std::int64_t heads : {std::int64_t{2}, std::int64_t{-1}, std::int64_t{0},
                                   std::numeric_limits<std::int64_t>::max()}) {
    grid.heads = heads;
    EXPECT_TRUE(said(study).find("members[0].pictures[0].modules[0]: 1 weights are not those of") !=
                std::string::npos)
        << said(study);
  }
}

TEST(ReportWrite, BackticksDoNotEndABlockOfMarkdown) {
  AdditionStudy study = heddle::testing::study_fixture(1);
  study.command = "heddle ``` study\n```\n# Not a title";
  std::string text;
  for (const FileText& file : report_files(study))
    if (file.path == "report.md") text = file.text;
  const std::size_t at = text.find("heddle ``` study");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(text.substr(at - 5, 5), "````\n");
  const std::size_t end = text.find("\n````\n", at);
  ASSERT_NE(end, std::string::npos);
  EXPECT_LT(text.find("# Not a title"), end);
}

TEST(ReportWrite, WrongResultsAreOneLine) {
  const TempFolder folder;
  const auto message = [&] {
    return message_of<FileError>([&] { (void)read_study(folder.path()); });
  };
  EXPECT_NE(message().find("has no results.json"), std::string::npos) << message();
  EXPECT_NE(
      message_of<FileError>([&] { (void)read_study(folder / "nowhere"); }).find("is not a folder"),
      std::string::npos);
  const std::string whole = to_tree(heddle::testing::bare_study()).dump();
  write_file(folder / "results.json", whole.substr(0, whole.size() / 2));
  EXPECT_NE(message().find("cut off"), std::string::npos) << message();
  write_file(folder / "results.json", std::string_view("{\"steps\": 3}"));
  EXPECT_NE(message().find("not the results of an addition study"), std::string::npos) << message();
  Json other = to_tree(heddle::testing::bare_study());
  other["schema"] = 2;
  write_file(folder / "results.json", other.dump());
  EXPECT_NE(message().find("schema 2"), std::string::npos) << message();
  other["schema"] = 1;
  other["members"][0]["seed"] = "seven";
  write_file(folder / "results.json", other.dump());
  EXPECT_NE(message().find("members[0].seed"), std::string::npos) << message();
}

TEST(ReportCompare, IntervalsThatDoNotMeetAreApart) {
  const AdditionStudy a = heddle::testing::study_fixture(3);
  AdditionStudy b = a;
  b.populations[0].circuit[0].low = 0.95;
  b.populations[0].circuit[0].high = 0.99;
  b.populations[1].headline.clear();
  const auto rows = compare(a, b);
  EXPECT_EQ(std::ranges::count_if(rows, &Compared::apart), 1);
  EXPECT_EQ(std::ranges::count_if(rows, [](const Compared& row) { return !row.b; }), 2);
}

TEST(ReportCompare, TwoSortednessStudiesStandSideBySide) {
  const SortednessStudy a = heddle::testing::sortedness_fixture(3);
  SortednessStudy b = a;
  b.populations[0].estimates[0].low = 0.1;
  b.populations[0].estimates[0].high = 0.2;
  b.populations.pop_back();
  const auto rows = compare(a, b);
  EXPECT_EQ(std::ranges::count_if(rows, &Compared::apart), 1);
  EXPECT_EQ(to_size(std::ranges::count_if(rows, [](const Compared& row) { return !row.b; })),
            1 + a.populations.back().estimates.size());
}

TEST(Process, CodesOfOtherProgramsComeBack) {
  const auto codes = run_programs({{"true"},
                                   {"sh", "-c", "exit 3"},
                                   {"no-such-program-here"},
                                   {"sh", "-c", "kill -9 $$"},
                                   {"true"}});
  EXPECT_EQ(codes, (std::vector<int>{0, 3, kNotStarted, 128 + 9, 0}));
}

}  // namespace
}  // namespace heddle::report
