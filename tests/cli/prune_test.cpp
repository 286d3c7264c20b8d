// heddle prune: words in; a smaller run, a table or JSON, and exit codes out.
#include <gtest/gtest.h>

#include "heddle/base/json.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/holds.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

using heddle::Json;

class CliPrune : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempFolder;
    run_ = *folder_ / "run";
    ASSERT_EQ(heddle_call({"train", "addition", "--out", run_, "--set", "digits=2", "d_model=16",
                           "d_ff=32", "heads=2", "encoder_layers=1", "decoder_layers=1", "steps=40",
                           "batch=32", "eval_every=20"})
                  .code,
              0);
  }
  static void TearDownTestSuite() { delete folder_; }

  static TempFolder* folder_;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
  static std::string run_;     // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
};
TempFolder* CliPrune::folder_ = nullptr;  // NOLINT
std::string CliPrune::run_;               // NOLINT

TEST_F(CliPrune, WritesASmallerRun) {
  const TempFolder out;
  const Outcome outcome =
      heddle_call({"prune", run_, "--keep", "2", "--out", out / "small", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json.at("heads_left"), 2);
  EXPECT_EQ(json.at("heads_cut").size(), 4U);
  EXPECT_EQ(json.at("by"), "measured");
  EXPECT_EQ(json.at("chosen_on"), "validation");
  EXPECT_EQ(json.at("scored_on"), "test");
  const Json &before = json.at("before"), &after = json.at("after");
  EXPECT_GE(before.at("total"), 500);
  EXPECT_EQ(after.at("total"), before.at("total"));
  EXPECT_GT(before.at("samples_per_s"), 0);
  EXPECT_GT(after.at("samples_per_s"), 0);
  // Four heads of 3·16·8 + 2·8 + 8·16; a norm of 32 for each attention that has none left.
  const int lost = before.at("parameters").get<int>() - after.at("parameters").get<int>();
  EXPECT_EQ((lost - 4 * 528) % 32, 0);
  EXPECT_GE(lost, 4 * 528);
  const Json config = Json::parse(file_bytes(out / "small/config.json"));
  std::string cut = config.at("model").at("cut_heads");
  EXPECT_EQ(std::ranges::count(cut, ','), 3);
  for (const std::string name : json.at("heads_cut")) EXPECT_TRUE(holds(cut, name)) << name;
  EXPECT_EQ(out.names(), std::vector<std::string>{"small"});
  // The score before is the one that eval tells.
  const Json test = Json::parse(heddle_call({"eval", run_, "--json"}).out);
  EXPECT_EQ(before.at("correct"), test.at("greedy").at("correct"));
  EXPECT_EQ(before.at("total"), test.at("greedy").at("total"));
  // A run like any other.
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"eval", out / "small"},
           {"ask", out / "small", "12+34"},
           {"taps", out / "small"},
           {"capture", out / "small", "12+34", "--tap", "**", "--out", out / "a.npz"}})
    EXPECT_EQ(heddle_call(words).code, 0) << words[0];
}

TEST_F(CliPrune, TheSameAgainAndAgainstAnother) {
  const TempFolder out;
  const std::vector<std::string> words{"prune", run_, "--keep", "3", "--out", out / "p"};
  ASSERT_EQ(heddle_call(words).code, 0);
  const std::string bytes = file_bytes(out / "p/model.safetensors");
  EXPECT_EQ(heddle_call(words).code, 0);
  EXPECT_EQ(file_bytes(out / "p/model.safetensors"), bytes);
  const Outcome other = heddle_call({"prune", run_, "--keep", "4", "--out", out / "p"});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(other.one_line()) << other.err;
  EXPECT_EQ(file_bytes(out / "p/model.safetensors"), bytes);
}

/// What was cut is not trained over; as the start of another run it is welcome.
TEST_F(CliPrune, APrunedModelIsNoTraining) {
  const TempFolder out;
  ASSERT_EQ(heddle_call({"prune", run_, "--keep", "5", "--out", out / "p"}).code, 0);
  const std::string bytes = file_bytes(out / "p/model.safetensors");
  const std::string cut =
      Json::parse(file_bytes(out / "p/config.json")).at("model").at("cut_heads");
  const auto train = [&](const std::string& to) {
    return heddle_call({"train", "addition", "--out", to, "--set", "digits=2", "d_model=16",
                        "d_ff=32", "heads=2", "encoder_layers=1", "decoder_layers=1", "steps=40",
                        "batch=32", "eval_every=20", "cut_heads=" + cut});
  };
  const Outcome over = train(out / "p");
  EXPECT_EQ(over.code, 2);
  EXPECT_TRUE(over.one_line() && holds(over.err, "holds a pruned model")) << over.err;
  EXPECT_EQ(file_bytes(out / "p/model.safetensors"), bytes);
  std::filesystem::create_directory(out / "tuned");
  put_file(out / "tuned/start.safetensors", bytes);
  EXPECT_EQ(train(out / "tuned").code, 0);
  EXPECT_EQ(train(out / "scratch").code, 0);
  EXPECT_NE(file_bytes(out / "tuned/model.safetensors"),
            file_bytes(out / "scratch/model.safetensors"));
}

TEST_F(CliPrune, KeepsAllAndCutsAgain) {
  const TempFolder out;
  const Outcome all = heddle_call({"prune", run_, "--keep", "6", "--out", out / "all", "--json"});
  ASSERT_EQ(all.code, 0) << all.err;
  const Json json = Json::parse(all.out);
  EXPECT_EQ(json.at("heads_cut").size(), 0U);
  EXPECT_EQ(json.at("before").at("parameters"), json.at("after").at("parameters"));
  EXPECT_EQ(json.at("before").at("correct"), json.at("after").at("correct"));
  ASSERT_EQ(
      heddle_call({"prune", run_, "--keep", "5", "--by", "random", "--out", out / "five"}).code, 0);
  const Outcome again = heddle_call(
      {"prune", out / "five", "--keep", "4", "--by", "gradient", "--out", out / "four", "--json"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(Json::parse(again.out).at("heads_cut").size(), 1U);
  const Json config = Json::parse(file_bytes(out / "four/config.json"));
  EXPECT_EQ(std::ranges::count(config.at("model").at("cut_heads").get<std::string>(), ','), 1);
}

TEST_F(CliPrune, MaxDropKeepsItsWord) {
  const TempFolder out;
  const Outcome outcome =
      heddle_call({"prune", run_, "--max-drop", "0", "--out", out / "p", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json points = Json::parse(outcome.out).at("curve").at("points");
  for (const Json& point : points)
    EXPECT_GE(point.at("chosen_on").at("correct"), points[0].at("chosen_on").at("correct"));
  const Outcome table = heddle_call({"prune", run_, "--max-drop", "1", "--out", out / "none"});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_TRUE(holds(table.out, "before      6")) << table.out;
  EXPECT_TRUE(holds(table.out, "after       0")) << table.out;
}

TEST_F(CliPrune, WrongWordsAreOneLineAndTwo) {
  const TempFolder out;
  const std::string to = out / "p";
  put_file(out / "file", "x");
  const std::vector<std::vector<std::string>> cases{
      {"prune", run_, "--out", to},
      {"prune", run_, "--keep", "2"},
      {"prune", run_, "--keep", "2", "--max-drop", "0.1", "--out", to},
      {"prune", run_, "--keep", "7", "--out", to},
      {"prune", run_, "--keep", "-1", "--out", to},
      {"prune", run_, "--max-drop", "1.5", "--out", to},
      {"prune", run_, "--max-drop", "x", "--out", to},
      {"prune", run_, "--keep", "2", "--by", "magic", "--out", to},
      {"prune", run_, "--keep", "2", "--out", ""},
      {"prune", run_, "--keep", "2", "--out", run_},
      {"prune", run_, "--keep", "2", "--out", out.path()},
  };
  for (const auto& words : cases) {
    const Outcome outcome = heddle_call(words);
    EXPECT_EQ(outcome.code, 2) << words.back() << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"prune", out / "nowhere", "--keep", "2", "--out", to},
           {"prune", run_, "--keep", "2", "--out", out / "file/p"}}) {
    const Outcome outcome = heddle_call(words);
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
  }
  EXPECT_EQ(out.names(), std::vector<std::string>{"file"});
}

/// A full disk: nothing is left behind.
TEST_F(CliPrune, NothingHalfWritten) {
  const TempFolder out;
  const Outcome outcome =
      heddle_call({"prune", run_, "--keep", "5", "--out", out / "p"}, {.most_file_bytes = 4096});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  EXPECT_EQ(out.names(), std::vector<std::string>{});
}

/// A small member is cut in a moment: where it was done before it was asked, it is asked sooner.
TEST_F(CliPrune, StopsWhenAsked) {
  constexpr std::int64_t kFirst = 60000, kLeast = 100;  // microseconds
  bool stopped = false;
  for (std::int64_t wait = kFirst; wait > kLeast && !stopped; wait = wait * 3 / 4) {
    const TempFolder out;
    Program program({"prune", run_, "--keep", "0", "--out", out / "p"});
    std::this_thread::sleep_for(std::chrono::microseconds(wait));
    program.send(SIGINT);
    const Outcome outcome = program.wait();
    if (outcome.code == 0) continue;
    stopped = true;
    EXPECT_TRUE(outcome.code == 130 || outcome.code == -SIGINT) << outcome.code << outcome.err;
    EXPECT_EQ(out.names(), std::vector<std::string>{});
  }
  EXPECT_TRUE(stopped);
}

}  // namespace
}  // namespace heddle
