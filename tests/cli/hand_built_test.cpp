// The sorter built by hand through the commands: written without a training, asked like any other.
#include <gtest/gtest.h>

#include "heddle/base/json.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/holds.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

std::vector<std::string> build_words(const std::string& run,
                                     const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"train", "sortedness", "--preset", "hand-built", "--out", run};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(CliHandBuilt, IsWrittenAndAskedLikeATrainedOne) {
  const TempFolder folder;
  const std::string run = folder / "run";
  const Outcome built = heddle_call(build_words(run));
  EXPECT_EQ(built.code, 0) << built.err;
  EXPECT_TRUE(holds(built.out, "nothing was trained")) << built.out;
  EXPECT_TRUE(holds(built.out, "eval " + run)) << built.out;

  const Outcome eval = heddle_call(
      {"eval", run, "--lengths", "16,300", "--kinds", "adjacent,dip1", "--count", "100", "--json"});
  ASSERT_EQ(eval.code, 0) << eval.err;
  const auto cells = heddle::Json::parse(eval.out).at("cells");
  EXPECT_EQ(cells.size(), 4U);
  for (const auto& cell : cells) EXPECT_EQ(cell.at("correct"), 100) << cell;

  const Outcome ask = heddle_call({"ask", run, "3 5 5 4 9", "--json"});
  ASSERT_EQ(ask.code, 0) << ask.err;
  const auto answer = heddle::Json::parse(ask.out);
  EXPECT_EQ(answer.at("output"), "not sorted");
  EXPECT_TRUE(answer.at("correct"));
  // Token 4 (the 4, behind BOS 3 5 5) looks at both fives alike, and CLS at the 4 alone.
  const auto& attention = answer.at("attention");
  EXPECT_NEAR(attention.at("encoder.0.self")[0][4][2], 0.5, 1e-3);
  EXPECT_NEAR(attention.at("encoder.0.self")[0][4][3], 0.5, 1e-3);
  EXPECT_NEAR(attention.at("encoder.1.self")[0][6][4], 1, 1e-3);

  const Outcome taps = heddle_call({"taps", run, "encoder.0.self.pattern"});
  EXPECT_EQ(taps.code, 0) << taps.err;
  EXPECT_TRUE(holds(taps.out, "encoder.0.self.pattern")) << taps.out;
}

TEST(CliHandBuilt, JsonSaysThatNothingWasTrained) {
  const TempFolder folder;
  const Outcome outcome = heddle_call(build_words(folder / "run", {"--json", "--quiet"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = heddle::Json::parse(outcome.out);
  EXPECT_EQ(json.at("outcome"), "finished");
  EXPECT_TRUE(json.at("by_hand"));
  EXPECT_EQ(json.at("steps"), 0);
  EXPECT_EQ(json.at("samples"), 0);
  EXPECT_FALSE(json.at("cells").empty());
  for (const auto& cell : json.at("cells")) EXPECT_EQ(cell.at("correct"), cell.at("total")) << cell;
}

TEST(CliHandBuilt, TheSameLineAgainFindsItFinished) {
  const TempFolder folder;
  ASSERT_EQ(heddle_call(build_words(folder / "run")).code, 0);
  const std::string before = file_bytes(folder / "run/model.safetensors");
  const Outcome again = heddle_call(build_words(folder / "run"));
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(holds(again.err, "finished already")) << again.err;
  EXPECT_EQ(file_bytes(folder / "run/model.safetensors"), before);
}

TEST(CliHandBuilt, TakesNoSettingAndNoOtherTask) {
  const TempFolder folder;
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
      {build_words(folder / "run", {"--set", "layers=3"}), "model.layers=3"},
      {build_words(folder / "run", {"--seed", "2"}), "seed=2"},
      {{"train", "addition", "--preset", "hand-built", "--out", folder / "run"}, "sortedness"}};
  for (const auto& [words, says] : wrong) {
    const Outcome outcome = heddle_call(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(outcome.one_line() && holds(outcome.err, says)) << outcome.err;
    EXPECT_TRUE(folder.names().empty()) << says;
  }
}

/// A training with the very same settings would replace it.
TEST(CliHandBuilt, NoTrainingReplacesIt) {
  const TempFolder folder;
  ASSERT_EQ(heddle_call(build_words(folder / "run")).code, 0);
  const Outcome outcome = heddle_call(
      {"train", "sortedness", "--out", folder / "run", "--set", "d_model=16", "d_ff=1", "heads=1",
       "position=causal", "direction=both", "pooling=cls", "steps=1", "warmup=0", "eval_every=0"});
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_TRUE(outcome.one_line() && holds(outcome.err, "hand-built model")) << outcome.err;
}

}  // namespace
}  // namespace heddle
