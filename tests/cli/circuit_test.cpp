// The commands that look for the carry: patch and probe.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>
#include <sys/stat.h>

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
  EXPECT_TRUE(holds(text.out, "control")) << text.out;
  EXPECT_TRUE(holds(text.out, " more: --all")) << text.out;
  const Outcome all = heddle_call({"patch", run_, "--pairs", "10", "--all"});
  EXPECT_TRUE(holds(all.out, "The carry out of column 1")) << all.out;
  EXPECT_FALSE(holds(all.out, "--all")) << all.out;
  const auto lines = [](const std::string& out) { return std::ranges::count(out, '\n'); };
  EXPECT_LT(lines(text.out), 40);
  EXPECT_GT(lines(all.out), 100);
}

/// Ten rows a table, and every one of them with --all.
TEST_F(CliCircuit, AblateShowsWhatMattersFirst) {
  const std::vector<std::string> words{"ablate", run_, "--mode", "mean"};
  const auto heads = [](const Outcome& outcome) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = outcome.out.find(".head.", at)) != std::string::npos; ++at)
      ++count;
    return count;
  };
  const Outcome first = heddle_call(words);
  EXPECT_EQ(heads(first), 10U) << first.out;
  EXPECT_TRUE(holds(first.out, "… and 2 more: --all")) << first.out;
  const Outcome all = heddle_call({"ablate", run_, "--mode", "mean", "--all"});
  EXPECT_EQ(heads(all), 12U) << all.out;
  EXPECT_FALSE(holds(all.out, "--all")) << all.out;
}

/// What they found stands in the run's report, number by number.
TEST_F(CliCircuit, TheReportHasPatchesProbesAndTheAudit) {
  ASSERT_EQ(heddle_call({"patch", run_, "--pairs", "10"}).code, 0);
  ASSERT_EQ(heddle_call({"probe", run_, "--problems", "60"}).code, 0);
  EXPECT_LE(heddle_call({"audit", run_}).code, 1);
  for (const char* name : {"patching", "probing", "audit"})
    EXPECT_TRUE(std::filesystem::exists(run_ + "/lens/" + name + ".json")) << name;
  const Outcome drawn = heddle_call({"report", run_});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  const std::string page = file_bytes(run_ + "/index.html");
  for (const char* id : {"patching", "probing", "audit"})
    EXPECT_TRUE(holds(page, "section id=\"" + std::string(id))) << id;
  const Outcome checked = heddle_call({"report", run_, "--check"});
  EXPECT_EQ(checked.code, 0) << checked.err;
}

/// A figure is what its ending says.
TEST_F(CliCircuit, AttendWritesWhatTheEndingSays) {
  const auto attend = [&](const std::string& name) {
    return heddle_call({"attend", run_, "12+34", "--out", *folder_ / name});
  };
  EXPECT_EQ(attend("a.svg").code, 0);
  EXPECT_TRUE(file_bytes(*folder_ / "a.svg").starts_with("<svg"));
  for (const char* name : {"a.pdf", "a", "a.PNG", "a.svg.gz"}) {
    const Outcome other = attend(name);
    EXPECT_EQ(other.code, 2) << name;
    EXPECT_TRUE(other.one_line() && holds(other.err, ".svg or a .png")) << other.err;
    EXPECT_FALSE(std::filesystem::exists(*folder_ / name)) << name;
  }
  const Outcome drawn = attend("a.png");  // only where rsvg-convert is installed
  if (drawn.code == 0) {
    EXPECT_TRUE(file_bytes(*folder_ / "a.png").starts_with("\x89PNG\r\n"));
  } else {
    EXPECT_TRUE(drawn.one_line() && holds(drawn.err, "rsvg-convert")) << drawn.err;
  }
  const std::string path = ::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  ::setenv("PATH", "/nothing", 1);            // NOLINT(concurrency-mt-unsafe)
  const Outcome none = attend("b.png");
  ::setenv("PATH", path.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(none.one_line() && holds(none.err, "rsvg-convert")) << none.err;
  for (const std::string& name : folder_->names())
    EXPECT_FALSE(name.starts_with("b.png") || name.ends_with("~")) << name;
}

/// It says how much there is to do, and how long it takes where a terminal does not show it.
TEST_F(CliCircuit, ACensusSaysHowManyProblemsThereAre) {
  const Outcome census = heddle_call({"eval", run_, "--census"});
  EXPECT_EQ(census.code, 0);
  EXPECT_TRUE(holds(census.err, "census: all 10,000 problems")) << census.err;
  EXPECT_EQ(heddle_call({"eval", run_, "--census", "--quiet"}).err, "");
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
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"patch", run_, "--pairs", "200000"},
                                             {"probe", run_, "--problems", "200000"},
                                             {"ablate", run_, "--pairs"},
                                             {"bench"}}) {
    Outcome stopped;
    for (const int wait : {700, 250, 80, 30}) {  // a quick machine may be done before the signal
      Program program(words);
      std::this_thread::sleep_for(std::chrono::milliseconds(wait));
      program.send(SIGINT);
      stopped = program.wait();
      if (stopped.code != 0) break;
    }
    EXPECT_EQ(stopped.code, 130) << words[0] << stopped.err;
    EXPECT_EQ(stopped.out, "") << words[0];
    EXPECT_TRUE(stopped.err.ends_with("heddle: stopped\n")) << stopped.err;
  }
}

/// A pipe that nobody writes does not hold the program.
TEST_F(CliCircuit, APipeWithoutAWriterCanBeStopped) {
  const std::string pipe = *folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string weights = run_ + "/model.safetensors", out = *folder_ / "out";
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"import", weights, "--map", pipe, "--out", out},
           {"capture", run_, "@" + pipe, "--tap", "logits", "--out", out}}) {
    Program program(words);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    EXPECT_TRUE(program.running()) << words[0];
    program.send(SIGTERM);
    const Outcome stopped = program.wait();
    EXPECT_EQ(stopped.code, 130) << words[0] << stopped.err;
    EXPECT_TRUE(stopped.one_line()) << stopped.err;
  }
  Program program({"capture", run_, "@" + pipe, "--tap", "logits", "--out", out});
  put_file(pipe, "12+34\n5+6\n");  // waits for its reader
  const Outcome read = program.wait();
  EXPECT_EQ(read.code, 0) << read.err;
  EXPECT_TRUE(holds(read.out, "2 problems")) << read.out;
}

}  // namespace
}  // namespace heddle
