// The report of one run: every number of it stands in results.json, whatever the run has and lacks.
#include <algorithm>

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/report/check/consistency.hpp"
#include "heddle/report/document/markdown.hpp"
#include "heddle/report/document/page.hpp"
#include "heddle/report/run/document.hpp"
#include "tests/support/print_json.hpp"
#include "tests/support/report/study_fixture.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::report {
namespace {

ScoreRow row(std::string name, std::int64_t correct, std::int64_t total) {
  return {.name = std::move(name), .count = {correct, total}, .low = 0.91, .high = 0.97};
}

RunScore a_score(bool labels) {
  RunScore score;
  score.set = "test";
  score.forced = !labels;
  score.loss = 0.0123;
  score.whole = {row(labels ? "labels" : "greedy", 1894, 2000)};
  if (!labels) score.whole.push_back(row("teacher-forced", 1894, 2000));
  ScoreGroup lengths{.name = "by length", .unit = "length", .rows = {}};
  for (int length = 3; length < 9; ++length)
    lengths.rows.push_back(row(std::to_string(length), 90 + length, 100));
  score.groups = {lengths};
  if (labels)
    score.groups.push_back({.name = "by label",
                            .unit = "label",
                            .rows = {row("spam <1>", 900, 1000), row("ham | 2", 994, 1000)}});
  score.mistakes = {"3 1 4 → 4 1 1, not 4 1 3"};
  return score;
}

RunPruning a_pruning() {
  RunPruning pruning;
  pruning.max_drop = 0.01;
  pruning.curve.by = PruneOrder::measured;
  for (int left = 24; left > 20; --left)
    pruning.curve.points.push_back({.heads_left = left,
                                    .cut = left == 24 ? "" : "encoder.0.self.head.1",
                                    .chosen_on = {990 - left, 1000},
                                    .scored = {1980 - left, 2000},
                                    .low = 0.97,
                                    .high = 0.985});
  pruning.models = {
      {.name = "intact", .heads_left = 24, .parameters = 400000, .scored = {1956, 2000}},
      {.name = "pruned", .heads_left = 21, .parameters = 350000, .scored = {1959, 2000}}};
  return pruning;
}

/// A run with everything: heads, pictures and roles are those of a made-up study.
RunRecord full_run(bool labels = false) {
  RunRecord run;
  run.member = testing::study_fixture().members.front();
  run.member.recipe = run.task = "dates2.csv";
  run.version = "1.2.3";
  run.isa = "avx2";
  run.answers = labels ? "labels" : "sequences";
  run.parameters = 412345;
  run.heads = 24;
  run.settings = {{"model.heads", "4", "4"}, {"train.steps", "400", "2000"}};
  run.data.lines = {"50,000 examples", "LEAK: 3 inputs in more than one split"};
  run.splits = {{"train", 46000, ""}, {"test", 2000, ""}};
  for (int step = 1; step < 5; ++step) {
    RunRow point;
    point.step = 100 * step;
    point.samples = 6400 * step;
    point.train_loss = 1.0 / step;
    point.validation_loss = 0.9 / step;
    (labels ? point.accuracy : point.greedy) = {400 * step, 2000};
    point.teacher_forced = point.greedy;
    run.curve.push_back(point);
  }
  run.steps = run.best_step = 400;
  run.samples = 25600;
  run.score = a_score(labels);
  run.pruning = a_pruning();
  return run;
}

struct RenderedRun {
  Json results;
  std::string html, text;

  explicit RenderedRun(const RunRecord& run) : results(to_tree(run)) {
    const RunSource source(run);
    const Document document = document_of(source);
    html = page(document);
    text = markdown(document);
  }
};

const std::vector<std::string> kNoFaults;

TEST(RunReport, EveryNumberStandsInItsResults) {
  for (const bool labels : {false, true}) {
    const RenderedRun full(full_run(labels));
    EXPECT_EQ(check_page(full.html, full.results), kNoFaults);
    EXPECT_EQ(check_markdown(full.text, full.html), kNoFaults);
    for (const char* id : {"answer", "data", "training", "score", "attention", "ablation",
                           "pruning", "roles", "settings"})
      EXPECT_NE(full.html.find("section id=\"" + std::string(id)), std::string::npos) << id;
  }
}

TEST(RunReport, ATamperedResultIsCaught) {
  const RenderedRun full(full_run());
  Json other = full.results;
  other["score"]["whole"][0]["count"]["correct"] = 1895;
  EXPECT_FALSE(check_page(full.html, other).empty());
  other = full.results;
  other["pruning"]["models"][1]["heads_left"] = 20;
  EXPECT_FALSE(check_page(full.html, other).empty());
  other = full.results;
  other["ablation"]["heads"][3]["drop"] = 0.77;
  EXPECT_FALSE(check_page(full.html, other).empty());
}

TEST(RunReport, ABareRunSaysWhatIsMissing) {
  RunRecord bare;
  bare.task = "reverse";
  bare.answers = "sequences";
  bare.missing = {{"score", "not measured yet", "heddle eval RUN"},
                  {"ablation", "not measured yet", "heddle ablate RUN"}};
  const RenderedRun page(bare);
  EXPECT_EQ(check_page(page.html, page.results), kNoFaults);
  EXPECT_EQ(check_markdown(page.text, page.html), kNoFaults);
  EXPECT_NE(page.text.find("heddle ablate RUN"), std::string::npos);
  EXPECT_EQ(page.html.find("section id=\"ablation"), std::string::npos);
}

TEST(RunReport, WhatCannotBeMeasuredNamesNoCommand) {
  RunRecord bare;
  bare.task = "four.csv";
  bare.answers = "sequences";
  bare.splits = {{"train", 4, ""}, {"validation", 0, ""}, {"test", 0, ""}};
  bare.missing = {{"ablation", "'four.csv' holds nothing out to ask", ""}};
  const RenderedRun page(bare);
  EXPECT_EQ(check_page(page.html, page.results), kNoFaults);
  EXPECT_NE(page.text.find("ablation ('four.csv' holds nothing out to ask)."), std::string::npos);
  EXPECT_NE(page.text.find("| validation | none: nothing is held out |"), std::string::npos);
  EXPECT_EQ(page.text.find("fresh ones"), std::string::npos);
  bare.splits[0].count = 0;
  EXPECT_NE(RenderedRun(bare).text.find("| train | fresh ones at every step |"), std::string::npos);
}

TEST(RunReport, ACensusHasNoIntervals) {
  RunRecord run = full_run(true);
  const std::string interval = "95 % interval";
  const auto score_of = [&](const RunRecord& record) {
    const std::string text = RenderedRun(record).text;
    const std::size_t from = text.find("## The score");
    return text.substr(from, text.find("\n## ", from + 1) - from);
  };
  EXPECT_NE(score_of(run).find(interval), std::string::npos);
  run.score.set = "census";
  EXPECT_EQ(score_of(run).find(interval), std::string::npos);
  const RenderedRun page(run);
  EXPECT_EQ(check_page(page.html, page.results), kNoFaults);
  EXPECT_NE(page.text.find("without sampling error"), std::string::npos);
}

TEST(RunReport, APrunedModelThatLostNoHeadIsNotCalledPruned) {
  RunRecord run = full_run();
  EXPECT_NE(RenderedRun(run).text.find("21 of its 24 heads are enough"), std::string::npos);
  run.pruning.curve.points.resize(1);
  run.pruning.models[1].heads_left = 24;
  const RenderedRun page(run);
  EXPECT_NE(page.text.find("None of its 24 heads was cut"), std::string::npos);
  EXPECT_EQ(page.text.find("| pruned |"), std::string::npos);
  EXPECT_EQ(check_page(page.html, page.results), kNoFaults);
}

TEST(RunReport, ADifferenceOfForcedAndGreedyIsCalledADefect) {
  RunRecord run = full_run();
  EXPECT_NE(RenderedRun(run).text.find("agree on every question"), std::string::npos);
  run.score.disagreements = 7;
  EXPECT_NE(RenderedRun(run).text.find("differ on 7 questions: that is a defect"),
            std::string::npos);
}

TEST(RunReport, WrittenTwiceIsTheSameAndReadsBack) {
  const TempFolder folder;
  const RunRecord run = full_run();
  const WrittenReport first = write_report(run, folder.path());
  const std::string page = read_file(folder / "index.html"),
                    results = read_file(folder / "results.json");
  for (const char* file :
       {"report.md", "tables/score.csv", "tables/ablation.csv", "tables/pruning.csv",
        "tables/learning_curves.csv", "figures/learning_curves.svg", "figures/head_importance.svg",
        "figures/by_length.svg", "figures/pruning_curve.svg"})
    EXPECT_NE(std::ranges::find(first.files, file), first.files.end()) << file;
  const RunRecord back = read_run_results(folder.path());
  EXPECT_EQ(to_tree(back), to_tree(run));
  write_report(back, folder.path());
  EXPECT_EQ(read_file(folder / "results.json"), results);
  EXPECT_EQ(page.find("http://www.w3.org"), page.find("http"));  // names of SVG, nothing fetched
  EXPECT_EQ(page.find("https:"), std::string::npos);
  EXPECT_EQ(page.find(" src="), std::string::npos);
}

TEST(RunReport, WhatIsNoRunIsOneLine) {
  const TempFolder folder;
  EXPECT_NE(message_of<FileError>([&] { read_run_results(folder.path()); }).find("no results.json"),
            std::string::npos);
  write_file(folder / "results.json", std::string_view("{\"study\": "));
  EXPECT_NE(message_of<FileError>([&] { read_run_results(folder.path()); }).find("cut off"),
            std::string::npos);
  write_file(folder / "results.json", std::string_view("{\"study\":\"sweep\"}"));
  EXPECT_NE(message_of<FileError>([&] { read_run_results(folder.path()); }).find("not the results"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::report
