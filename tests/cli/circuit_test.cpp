// The commands that look for the carry: patch and probe.
#include <gtest/gtest.h>

#include "heddle/base/json.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/holds.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

using heddle::Json;

/// One tiny member for all of them.
class CliCircuit : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempFolder;
    run_ = *folder_ / "run";
    ASSERT_EQ(heddle_call(tiny_training(run_, {"--set", "digits=2"})).code, 0);
  }
  static void TearDownTestSuite() { delete folder_; }

  static TempFolder* folder_;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
  static std::string run_;     // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
};
TempFolder* CliCircuit::folder_ = nullptr;  // NOLINT
std::string CliCircuit::run_;               // NOLINT

TEST_F(CliCircuit, PatchTellsHeadsAndStream) {
  const Outcome outcome = heddle_call({"patch", run_, "--pairs", "10", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json.at("run"), run_);
  EXPECT_EQ(json.at("swings").size(), 4U);           // columns and directions
  ASSERT_EQ(json.at("heads").size(), 4U * 6U * 2U);  // of six attentions with two heads
  EXPECT_EQ(json.at("heads")[0].at("place"), "encoder.0.self.head.0");
  EXPECT_EQ(json.at("heads")[0].at("pairs"), 10);
  EXPECT_EQ(json.at("stream")[0].at("place"), "encoder.embed.out");
  const Outcome text = heddle_call({"patch", run_, "--pairs", "10"});
  EXPECT_TRUE(holds(text.out, "The carry out of column 1")) << text.out;
  EXPECT_TRUE(holds(text.out, "control")) << text.out;
}

TEST_F(CliCircuit, ProbeTellsEveryPlace) {
  const Outcome outcome = heddle_call({"probe", run_, "--problems", "60", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json.at("run"), run_);
  EXPECT_EQ(json.at("trained_on"), 60);
  // Three targets at 15 + 8 places of the stream, and at five or four of each head.
  ASSERT_EQ(json.at("probes").size(), 3U * (15 + 8 + 4 * 5 + 8 * 4));
  EXPECT_EQ(json.at("probes")[2].at("target"), "carry_in.1 | sum 9");
  const Outcome text = heddle_call({"probe", run_, "--problems", "60"});
  EXPECT_TRUE(holds(text.out, "held out")) << text.out;
}

TEST_F(CliCircuit, WrongWordsAreOneLine) {
  for (const char* command : {"patch", "probe"}) {
    EXPECT_EQ(heddle_call({command, *folder_ / "nothing"}).code, 1);
    const Outcome outcome = heddle_call(
        {command, run_, command == std::string("patch") ? "--pairs" : "--problems", "1"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(holds(heddle_call({command, "--help"}).out, "Example"));
  }
}

/// Ctrl-C in the middle: no result, 130.
TEST_F(CliCircuit, CanBeStopped) {
  Program program({"patch", run_, "--pairs", "200000"});
  std::this_thread::sleep_for(std::chrono::seconds(1));
  program.send(SIGINT);
  const Outcome stopped = program.wait();
  EXPECT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_EQ(stopped.out, "");
}

}  // namespace
}  // namespace heddle
