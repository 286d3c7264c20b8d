// heddle study as a user calls it: the same results whatever the threads, and after any stop.
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "heddle/base/json.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/holds.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

using std::chrono_literals::operator""ms;

/// A study of members so small that nothing is learned and everything is done.
std::vector<std::string> tiny_study(const std::string& out,
                                    const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"study", "addition", "--out", out, "--set"};
  for (const char* setting : {"d_model=16",
                              "d_ff=16",
                              "heads=2",
                              "encoder_layers=1",
                              "decoder_layers=1",
                              "steps=30",
                              "batch=32",
                              "eval_every=10",
                              "study.reported_steps=20",
                              "study.corrected=0",
                              "study.reported_zero=0",
                              "study.test=60",
                              "study.reference=40",
                              "study.ablation=30",
                              "study.donors=2",
                              "study.pairs=20",
                              "study.choose=20",
                              "study.score=30",
                              "study.random_orders=1",
                              "study.free_heads=30",
                              "study.fine_tune_steps=5",
                              "study.scratch_steps=10",
                              "study.specialise=30",
                              "study.patch_pairs=8",
                              "study.probe_train=120",
                              "study.probe_test=120",
                              "study.snapshots=3",
                              "study.snapshot_problems=20"})
    words.emplace_back(setting);
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string results_of(const std::string& folder) {
  return file_bytes(folder + "/results.json");
}

TEST(CliStudy, HasTheSameResultsForAnyThreadsAndAfterAnyKill) {
  TempFolder folder;
  const Outcome whole = heddle_call(tiny_study(folder / "whole", {"--threads", "1"}));
  ASSERT_EQ(whole.code, 0) << whole.err;
  const std::string expected = results_of(folder / "whole");
  ASSERT_FALSE(expected.empty());

  const Outcome three = heddle_call(tiny_study(folder / "three", {"--threads", "3"}));
  EXPECT_EQ(three.code, 0) << three.err;
  EXPECT_TRUE(results_of(folder / "three") == expected);

  const std::string parts = folder / "parts";
  const Killed killed = kill_again_and_again(tiny_study(parts, {"--threads", "2"}), 40, 30ms, 60ms);
  EXPECT_EQ(killed.surprise, "");
  EXPECT_GT(killed.times, 0);
  const Outcome rest = heddle_call(tiny_study(parts));
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_TRUE(results_of(parts) == expected);
}

TEST(CliStudy, InterruptedItSaysHowToGoOn) {
  TempFolder folder;
  const std::string out = folder / "study";
  Program program(tiny_study(out, {"steps=100000"}));
  program.wait_until([&] { return std::filesystem::exists(out + "/members/tuned-1/config.json"); });
  program.send(SIGINT);
  const Outcome stopped = program.wait();
  EXPECT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_TRUE(holds(stopped.err, "To go on: ")) << stopped.err;
  EXPECT_EQ(stopped.out, "");
}

TEST(CliStudy, LeavesEveryAnalysisOfEveryMember) {
  TempFolder folder;
  const Outcome outcome = heddle_call(tiny_study(folder / "study"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto results = heddle::Json::parse(results_of(folder / "study"));
  ASSERT_EQ(results["members"].size(), 3U);
  // A number that changes in a member's record does not reach the results.
  const std::string analysis = folder / "study/members/tuned-1/analysis.json";
  const std::string sound = file_bytes(analysis);
  std::string changed = sound;
  const std::size_t digit = changed.find("\"correct\":") + 10;
  changed[digit] = changed[digit] == '1' ? '2' : '1';
  put_file(analysis, changed);
  std::filesystem::remove(folder / "study/results.json");
  const Outcome refused = heddle_call({"conclude", folder / "study"});
  EXPECT_EQ(refused.code, 1) << refused.err;
  EXPECT_TRUE(refused.one_line()) << refused.err;
  EXPECT_TRUE(holds(refused.err, "analysis.json' was changed since it was written")) << refused.err;
  put_file(analysis, sound);
  ASSERT_EQ(heddle_call({"conclude", folder / "study"}).code, 0);
  EXPECT_TRUE(heddle::Json::parse(results_of(folder / "study")) == results);
  for (const auto& member : results["members"]) {
    EXPECT_EQ(member["ablation"]["heads"].size(), 18U);  // 6 heads × 3 modes
    EXPECT_EQ(member["ablation"]["pairs"].size(), 15U);
    EXPECT_EQ(member["ablation"]["modules"].size(), 3U);
    EXPECT_EQ(member["ablation"]["leave_one_in"].size(), 6U);
    EXPECT_EQ(member["pruning"]["curves"].size(), 3U);
    EXPECT_EQ(member["pruning"]["curves"][0]["points"].size(), 7U);
    EXPECT_FALSE(member["specialisation"]["measures"].empty());
    EXPECT_EQ(member["specialisation"]["roles"].size(), 6U);
    EXPECT_FALSE(member["pictures"].empty());
    EXPECT_FALSE(member["patching"]["heads"].empty());
    EXPECT_FALSE(member["probing"]["probes"].empty());
    EXPECT_EQ(member["snapshots"].size(), member["recipe"] == "tuned" ? 3U : 2U);
    EXPECT_FALSE(member["curve"].empty());
  }
  EXPECT_EQ(results["populations"].size(), 2U);
  for (const char* file :
       {"index.html", "report.md", "timings.json", "training_log.json", "tables/ablation.csv",
        "figures/pruning_curves.svg", "head_analysis/ablation_results.json",
        "head_analysis/head_specialization.json", "head_analysis/head_importance.svg",
        "attention_patterns/example_0_model.svg"})
    EXPECT_TRUE(std::filesystem::exists(folder / ("study/" + std::string(file)))) << file;
  const Outcome checked = heddle_call({"report", folder / "study", "--check"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  // A number changed by hand is found.
  std::string page = file_bytes(folder / "study/index.html");
  const std::size_t at = page.find("60 of 60");
  const std::size_t other = at == std::string::npos ? page.find(" of 60") : at;
  ASSERT_NE(other, std::string::npos);
  page.replace(page.find("60", other), 2, "61");
  put_file(folder / "study/index.html", page);
  EXPECT_EQ(heddle_call({"report", folder / "study", "--check"}).code, 1);
  EXPECT_GE(results["claims"].size(), 13U);
  EXPECT_FALSE(results["reproductions"].empty());
}

TEST(CliStudy, RefusesWhatItCannotDo) {
  TempFolder folder;
  const auto refused = [&](std::vector<std::string> words, const std::string& part) {
    const Outcome outcome = heddle_call(std::move(words));
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_TRUE(holds(outcome.err, part)) << outcome.err;
  };
  refused({"study", "sorting"}, "'sorting'");
  refused({"study", "addition", "--preset", "quik"}, "quick");
  refused({"study", "addition", "--seeds", "0"}, "--seeds");
  refused({"study", "addition", "--set", "study.ablaton=5"}, "ablation");
  refused({"study", "addition", "--set", "study.pairs=-5"}, "study.pairs");
  std::filesystem::create_directories(folder / "study");
  put_file(folder / "study/study.json", "{}");
  refused(tiny_study(folder / "study"), "other settings");
}

}  // namespace
}  // namespace heddle
