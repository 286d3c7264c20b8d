// heddle study sortedness as a user calls it: the same results whatever the threads, and after any
// stop.
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "heddle/base/json.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

using std::chrono_literals::operator""ms;

/// A study of members so small that nothing is learned and everything is done.
std::vector<std::string> tiny_sortedness_study(const std::string& out, const std::string& threads) {
  std::vector<std::string> words{"study",     "sortedness", "--out", out,
                                 "--threads", threads,      "--set", "batch=16"};
  for (const char* setting :
       {"d_model=16", "layers=1", "steps=20", "required_steps=10", "reported_steps=10",
        "reported_d_model=16", "seeds=2", "variants=1", "count=10", "recipe_count=10",
        "far_count=2", "longest=512", "explain_pairs=2"})
    words.push_back(std::string("study.") + setting);
  return words;
}

TEST(CliSortStudy, HasTheSameResultsForAnyThreadsAndAfterAnyKillSlow) {
  TempFolder folder;
  const Outcome whole = heddle_call(tiny_sortedness_study(folder / "whole", "1"));
  ASSERT_EQ(whole.code, 0) << whole.err;
  const std::string expected = file_bytes(folder / "whole/results.json");
  const auto results = heddle::Json::parse(expected);
  EXPECT_EQ(results["members"].size(), 15U);  // 2 + 6 required + 1 variant + 5 reports' + by hand
  std::set<std::string> measures;
  for (const auto& estimate : results["populations"][0]["estimates"])
    measures.insert(estimate["measure"]);
  EXPECT_EQ(measures, (std::set<std::string>{"accuracy", "tpr", "tnr", "auroc", "pairs"}));
  const Outcome checked = heddle_call({"report", folder / "whole", "--check"});
  EXPECT_EQ(checked.code, 0) << checked.err;

  const std::string parts = folder / "parts";
  const Killed killed = kill_again_and_again(tiny_sortedness_study(parts, "2"), 30, 40ms, 60ms);
  EXPECT_EQ(killed.surprise, "");
  EXPECT_GT(killed.times, 0);
  const Outcome rest = heddle_call(tiny_sortedness_study(parts, "3"));
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_TRUE(file_bytes(parts + "/results.json") == expected);
}

}  // namespace
}  // namespace heddle
