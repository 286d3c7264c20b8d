// The report on a sweep: it says what its results say, on a sweep that was made up.
#include <algorithm>

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/report/check/consistency.hpp"
#include "heddle/report/document/markdown.hpp"
#include "heddle/report/document/page.hpp"
#include "heddle/report/document/write.hpp"
#include "heddle/report/sweep/document.hpp"
#include "heddle/report/sweep/figures.hpp"
#include "heddle/report/sweep/view.hpp"
#include "tests/support/print_json.hpp"
#include "tests/support/report/figure_checks.hpp"
#include "tests/support/report/sweep_fixture.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::report {
namespace {

using heddle::testing::expect_sound;
using heddle::testing::made_up_sweep;
using heddle::testing::only_figures;
using heddle::testing::sweep_fixture;

using Faults = std::vector<std::string>;

struct RenderedSweep {
  SweepStudy study;
  Json results;
  std::string html, markdown_text;

  explicit RenderedSweep(SweepStudy made) : study(std::move(made)), results(to_tree(study)) {
    const SweepSource source(study);
    const Document document = document_of(source);
    html = page(document);
    markdown_text = markdown(document);
  }
  Faults faults() const { return check_page(html, results); }
  bool says(const std::string& words) const {
    return markdown_text.find(words) != std::string::npos;
  }
};

std::string text_of(const SweepStudy& study, const std::string& path) {
  for (const FileText& file : report_files(study))
    if (file.path == path) return file.text;
  return "";
}

TEST(SweepReport, AgreesWithItsResultsForAnyNumberOfSeeds) {
  for (const std::size_t seeds : {1U, 2U, 4U}) {
    const RenderedSweep r(sweep_fixture(seeds));
    EXPECT_EQ(r.faults(), Faults{}) << seeds;
    EXPECT_EQ(check_markdown(r.markdown_text, r.html), Faults{}) << seeds;
  }
  const RenderedSweep alone(made_up_sweep({.axes = {}, .right = {{700, 800, 750}}}));
  EXPECT_EQ(alone.faults(), Faults{});
  EXPECT_EQ(check_markdown(alone.markdown_text, alone.html), Faults{});
}

TEST(SweepReport, EachChangedNumberIsCaught) {
  const RenderedSweep r(sweep_fixture());
  const auto caught = [&](const auto& change) {
    Json results = r.results;
    change(results);
    return !check_page(r.html, results).empty();
  };
  EXPECT_TRUE(caught([](Json& j) { j["cells"][3]["estimates"][0]["mean"] = 0.9; }));
  EXPECT_TRUE(caught([](Json& j) { j["cells"][3]["estimates"][0]["worst"] = 0.9; }));
  EXPECT_TRUE(caught([](Json& j) { j["cells"][3]["estimates"][1]["mean"] = 0.5; }));
  EXPECT_TRUE(caught([](Json& j) { j["contrasts"][0]["difference"] = 0.9; }));
  EXPECT_TRUE(caught([](Json& j) { j["contrasts"][0]["p_holm"] = 0.77; }));
  EXPECT_TRUE(caught([](Json& j) { j["members"][4]["scores"][0]["correct"] = 1; }));
  EXPECT_TRUE(caught([](Json& j) { j["seeds"].erase(0); }));
  EXPECT_TRUE(caught([](Json& j) { j["axes"][0]["values"][1] = "shaw"; }));
}

TEST(SweepReport, NamesTheBestCellAndWhatEachSettingDoes) {
  const RenderedSweep r(sweep_fixture());
  EXPECT_TRUE(r.says("Swept: position (sinusoidal, alibi, rope) × pooling (mean, max)"));
  EXPECT_TRUE(r.says("the highest mean is that of alibi · max: 94.0 %")) << r.markdown_text;
  EXPECT_TRUE(r.says("the lowest that of sinusoidal · mean: 50.2 %"));
  EXPECT_TRUE(r.says("For position, all else equal, alibi is"));
  EXPECT_TRUE(r.says("For pooling, all else equal, max is"));
}

TEST(SweepReport, SaysWhatMustNotBeOverlooked) {
  const RenderedSweep r(sweep_fixture());
  EXPECT_TRUE(r.says("Not a sound cell: sinusoidal · mean: reproduction of a defect"));
  EXPECT_TRUE(r.says("In the cell rope · max, 1 of 3 trainings diverged"));
  EXPECT_TRUE(r.says("step 12, plateau: the loss"));
  EXPECT_TRUE(r.says("training diverged: the loss is nan"));
  const RenderedSweep task(made_up_sweep(
      {.axes = {{"task.values", {"uniform", "mixed"}}}, .right = {{700, 710}, {600, 630}}}));
  EXPECT_TRUE(task.says("The setting task.values belongs to the task"));
  EXPECT_FALSE(r.says("belongs to the task"));
}

TEST(SweepReport, OneSeedSaysThatItsIntervalsAreOverProblems) {
  const RenderedSweep r(sweep_fixture(1));
  EXPECT_TRUE(r.says("There is one seed, so the intervals are over problems"));
  EXPECT_FALSE(r.says("in the worst seed"));
}

TEST(SweepReport, CellsAreRankedAndThoseWithoutTheMeasureComeLast) {
  const SweepStudy study = sweep_fixture();
  const auto cells = ranked_cells(study);
  ASSERT_EQ(cells.size(), 6U);
  EXPECT_EQ(cells.front()->label, "alibi · max");
  EXPECT_TRUE(std::ranges::is_sorted(cells, std::ranges::greater{}, [&](auto* cell) {
    return find_estimate(*cell, study.main)->mean;
  }));
  SweepStudy gap = study;
  gap.cells[3].estimates.clear();
  EXPECT_EQ(ranked_cells(gap).back()->label, "alibi · max");
  EXPECT_EQ(RenderedSweep(gap).faults(), Faults{});
}

TEST(SweepReport, TheLeadOfASettingIsItsBestAgainstTheRestNearestFirst) {
  const SweepStudy study = sweep_fixture();
  const auto lead = contrasts_with_best(study, "model.position");
  ASSERT_EQ(lead.size(), 2U);
  EXPECT_EQ(lead[0]->better, "alibi");
  EXPECT_EQ(lead[0]->other, "rope");
  EXPECT_EQ(lead[1]->other, "sinusoidal");
  EXPECT_LE(lead[0]->difference, lead[1]->difference);
}

TEST(SweepReport, FiguresAreWellFormedAndShowEverySeed) {
  for (const std::size_t seeds : {1U, 4U}) {
    const SweepStudy study = sweep_fixture(seeds);
    const auto figures = only_figures(report_files(study));
    ASSERT_EQ(figures.size(), 3U);
    for (const FileText& file : figures) expect_sound(file);
    const std::string cells = sweep_cells(SweepSource(study));
    // A dot per cell and one per seed that finished.
    std::size_t dots = 0;
    for (std::size_t at = cells.find("<circle"); at != std::string::npos;
         at = cells.find("<circle", at + 1))
      ++dots;
    const std::size_t finished = 6 * seeds - 1;
    EXPECT_EQ(dots, finished + (seeds == 1 ? 5 : 6));
  }
}

TEST(SweepReport, ManyCellsGetAPanelPerAlternative) {
  std::vector<std::string> values;
  std::vector<std::vector<int>> right;
  for (int i = 0; i < 4; ++i) values.push_back(fmt::format("v{}", i));
  for (int i = 0; i < 80; ++i) right.push_back({500 + 5 * i, 500 + 6 * i});
  std::vector<std::string> many;
  for (int i = 0; i < 20; ++i) many.push_back(std::to_string(i));
  const SweepStudy study =
      made_up_sweep({.axes = {{"model.norm", values}, {"model.heads", many}}, .right = right});
  const std::string curves = sweep_curves(study);
  for (const std::string& value : values)
    EXPECT_NE(curves.find("norm " + value), std::string::npos) << value;
  EXPECT_NE(sweep_cells(SweepSource(study)).find("20 more are in the table"), std::string::npos);
  for (const FileText& file : only_figures(report_files(study))) expect_sound(file);
  EXPECT_EQ(RenderedSweep(study).faults(), Faults{});
}

TEST(SweepTables, HaveARowPerCellSeedAndMeasure) {
  const SweepStudy study = sweep_fixture();
  const std::string csv = text_of(study, "tables/sweep.csv");
  EXPECT_TRUE(csv.starts_with("cell,model.position,model.pooling,seed,measure,correct,total,"))
      << csv.substr(0, 200);
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 17 * 2);  // one of 18 members diverged
  EXPECT_NE(csv.find("cell-3,alibi,max,2,far,977,1000,0.977,"), std::string::npos) << csv;
  const std::string cells = text_of(study, "tables/cells.csv");
  EXPECT_EQ(std::ranges::count(cells, '\n'), 1 + 6 * 2);
  const std::string contrasts = text_of(study, "tables/contrasts.csv");
  EXPECT_EQ(std::ranges::count(contrasts, '\n'), 1 + (3 + 1) * 2);
  const std::string curves = text_of(study, "tables/learning_curves.csv");
  EXPECT_EQ(std::ranges::count(curves, '\n'), 1 + 17 * 4 * 3);
}

TEST(SweepReport, ReadsWhatItWrote) {
  const TempFolder folder;
  const SweepStudy study = sweep_fixture();
  EXPECT_FALSE(is_sweep(folder.path()));
  write_file(folder / "results.json", to_tree(study).dump());
  EXPECT_TRUE(is_sweep(folder.path()));
  EXPECT_FALSE(is_sortedness(folder.path()));
  EXPECT_EQ(to_tree(read_sweep(folder.path())), to_tree(study));
  write_file(folder / "results.json", R"({"schema":1,"study":"sweep","members":[]})");
  EXPECT_NE(message_of<FileError>([&] {
              (void)read_sweep(folder.path());
            }).find("not the results of a sweep"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::report
