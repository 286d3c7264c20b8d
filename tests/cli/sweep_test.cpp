// heddle train with lists and seeds, as a user calls it: the same table whatever the threads, and
// after any stop.
#include <filesystem>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "heddle/base/json.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/holds.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

using std::chrono_literals::operator""ms;
using Words = std::vector<std::string>;

/// Members so small that nothing is learned: two settings with two alternatives, two seeds.
Words tiny_sweep(const std::string& out, const Words& more = {}) {
  Words words{"train",           "addition",
              "--out",           out,
              "--seeds",         "2",
              "--set",           "digits=1",
              "heads=1,2",       "lr=0.001,0.01",
              "d_model=16",      "d_ff=16",
              "steps=3",         "batch=8",
              "eval_every=1",    "encoder_layers=1",
              "decoder_layers=1"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Everything that a sweep promises to the byte.
std::string bytes_of(const std::string& folder) {
  std::string all;
  for (const char* file :
       {"/sweep.json", "/results.json", "/index.html", "/report.md", "/tables/sweep.csv",
        "/tables/cells.csv", "/tables/contrasts.csv", "/tables/learning_curves.csv",
        "/figures/cells.svg", "/figures/settings.svg", "/figures/learning_curves.svg"}) {
    const std::string bytes = file_bytes(folder + file);
    EXPECT_FALSE(bytes.empty()) << file;
    all += bytes;
  }
  return all;
}

TEST(CliSweep, HasTheSameTableForAnyThreadsAndAfterAnyKill) {
  const TempFolder folder;
  const Outcome whole = heddle_call(tiny_sweep(folder / "whole", {"--threads", "1"}));
  ASSERT_EQ(whole.code, 0) << whole.err;
  const std::string expected = bytes_of(folder / "whole");

  const Outcome two = heddle_call(tiny_sweep(folder / "two", {"--threads", "2"}));
  EXPECT_EQ(two.code, 0) << two.err;
  EXPECT_TRUE(bytes_of(folder / "two") == expected);

  const std::string parts = folder / "parts";
  const Killed killed = kill_again_and_again(tiny_sweep(parts, {"--threads", "2"}), 40, 10ms, 30ms);
  EXPECT_EQ(killed.surprise, "");
  EXPECT_GT(killed.times, 0);
  const Outcome rest = heddle_call(tiny_sweep(parts));
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_TRUE(bytes_of(parts) == expected);
  // What was printed is the same too but for the folder's name.
  EXPECT_EQ(rest.out.substr(0, rest.out.find("report:")),
            whole.out.substr(0, whole.out.find("report:")));
}

TEST(CliSweep, KilledInTheMiddleItKeepsWhatIsFinished) {
  const TempFolder folder;
  const std::string out = folder / "sweep";
  const std::string first = out + "/members/heads=1+lr=0.001/seed-1/measures.json";
  Program program(tiny_sweep(out, {"steps=40", "eval_every=20", "--threads", "1"}));
  program.wait_until([&] { return std::filesystem::exists(first); });
  program.send(SIGKILL);
  ASSERT_EQ(program.wait().code, -SIGKILL);
  EXPECT_FALSE(std::filesystem::exists(out + "/results.json"));
  const auto before = std::filesystem::last_write_time(first);
  const Outcome unfinished = heddle_call({"report", out});
  EXPECT_EQ(unfinished.code, 1);
  EXPECT_TRUE(unfinished.one_line()) << unfinished.err;
  EXPECT_TRUE(holds(unfinished.err, "not finished")) << unfinished.err;
  const Outcome rest = heddle_call(tiny_sweep(out, {"steps=40", "eval_every=20"}));
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_TRUE(holds(rest.err, "of 8 members are done already")) << rest.err;
  EXPECT_EQ(std::filesystem::last_write_time(first), before) << "it was measured again";
  const Outcome whole = heddle_call(tiny_sweep(folder / "whole", {"steps=40", "eval_every=20"}));
  EXPECT_EQ(whole.code, 0) << whole.err;
  EXPECT_TRUE(bytes_of(out) == bytes_of(folder / "whole"));
}

TEST(CliSweep, InterruptedItSaysHowToGoOn) {
  const TempFolder folder;
  const std::string out = folder / "sweep";
  Program program(tiny_sweep(out, {"steps=100000", "eval_every=0"}));
  program.wait_until([&] {
    return std::filesystem::exists(out + "/members/heads=1+lr=0.001/seed-1/config.json");
  });
  program.send(SIGINT);
  const Outcome stopped = program.wait();
  EXPECT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_TRUE(holds(stopped.err, "To go on: ")) << stopped.err;
  EXPECT_EQ(stopped.out, "");
}

TEST(CliSweep, LeavesRunsTablesAndAReportThatAgree) {
  const TempFolder folder;
  const std::string out = folder / "sweep";
  const Outcome outcome = heddle_call(tiny_sweep(out, {"--json"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = heddle::Json::parse(outcome.out);
  EXPECT_EQ(json["outcome"], "finished");
  EXPECT_EQ(json["cells"].size(), 4U);
  EXPECT_EQ(json["main"], "greedy exact match");
  const auto results = heddle::Json::parse(file_bytes(out + "/results.json"));
  EXPECT_EQ(results["study"], "sweep");
  EXPECT_EQ(results["members"].size(), 8U);
  EXPECT_EQ(results["measures"],
            (Words{"greedy exact match", "teacher-forced exact match", "tokens"}));
  EXPECT_EQ(results["axes"][1]["setting"], "train.lr");
  EXPECT_EQ(file_bytes(out + "/results.json").find("seconds"), std::string::npos)
      << "what a clock said is in timings.json";
  EXPECT_TRUE(holds(file_bytes(out + "/timings.json"), "seconds"));
  for (const auto& member : results["members"]) {
    EXPECT_EQ(member["log"].size(), 3U);
    EXPECT_EQ(member["data_hash"].get<std::string>().size(), 16U);
    const Outcome eval =
        heddle_call({"eval", out + "/" + member["run"].get<std::string>(), "--json"});
    ASSERT_EQ(eval.code, 0) << eval.err;
    const auto scored = heddle::Json::parse(eval.out);
    EXPECT_EQ(scored["greedy"]["correct"], member["scores"][0]["correct"]);
    EXPECT_EQ(scored["greedy"]["total"], member["scores"][0]["total"]);
    EXPECT_EQ(scored["teacher_forced_tokens"]["correct"], member["scores"][2]["correct"]);
  }
  EXPECT_EQ(heddle_call({"report", out, "--check"}).code, 0);
  const std::string before = bytes_of(out);
  EXPECT_EQ(heddle_call({"report", out}).code, 0);
  EXPECT_TRUE(bytes_of(out) == before);
  const Outcome again = heddle_call(tiny_sweep(out));
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(holds(again.err, "8 of 8 members are done already")) << again.err;
  EXPECT_TRUE(bytes_of(out) == before);
}

TEST(CliSweep, SortednessIsAskedInAndBeyondItsRange) {
  const TempFolder folder;
  const std::string out = folder / "sweep";
  const Outcome outcome =
      heddle_call({"train", "sortedness", "--out", out, "--set", "position=alibi,learned",
                   "d_model=8", "d_ff=8", "heads=1", "layers=1", "steps=2", "batch=4",
                   "kinds=swaps", "position_past_end=reject"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto results = heddle::Json::parse(file_bytes(out + "/results.json"));
  EXPECT_EQ(results["measures"], (Words{"adjacent at 256", "adjacent at 16", "swaps at 256",
                                        "swaps at 16", "last validation"}));
  // A learned table ends at 16 here: it is not asked beyond, and the cells are ranked without.
  EXPECT_EQ(results["cells"][0]["estimates"].size(), 5U) << results["cells"][0]["name"];
  EXPECT_EQ(results["cells"][1]["estimates"].size(), 3U) << results["cells"][1]["name"];
  EXPECT_TRUE(holds(results["main"].get<std::string>(), "16") ||
              results["main"] == "last validation")
      << results["main"];
  EXPECT_EQ(heddle_call({"report", out, "--check"}).code, 0);
}

TEST(CliSweep, GrowsButDoesNotShrink) {
  const TempFolder folder;
  const std::string out = folder / "sweep";
  ASSERT_EQ(heddle_call(tiny_sweep(out)).code, 0);
  const Outcome grown = heddle_call(tiny_sweep(out, {"norm=post"}));
  EXPECT_EQ(grown.code, 2);
  EXPECT_TRUE(grown.one_line()) << grown.err;
  EXPECT_TRUE(holds(grown.err, "model.norm=post against pre")) << grown.err;
  Words more = tiny_sweep(out);
  more[5] = "3";
  const Outcome seeds = heddle_call(more);
  EXPECT_EQ(seeds.code, 0) << seeds.err;
  EXPECT_TRUE(holds(seeds.err, "8 of 12 members are done already")) << seeds.err;
  const Outcome fewer = heddle_call(tiny_sweep(out));
  EXPECT_EQ(fewer.code, 2);
  EXPECT_TRUE(holds(fewer.err, "seeds 1 to 2 against 1 to 3")) << fewer.err;
  // What grew is what would have been made at once.
  Words whole = tiny_sweep(folder / "whole");
  whole[5] = "3";
  ASSERT_EQ(heddle_call(whole).code, 0);
  EXPECT_TRUE(bytes_of(out) == bytes_of(folder / "whole"));
}

TEST(CliSweep, AnotherOriginOrADamagedFileIsOneLine) {
  const TempFolder folder;
  const std::string out = folder / "sweep", file = out + "/sweep.json";
  ASSERT_EQ(heddle_call(tiny_sweep(out)).code, 0);
  const std::string sound = file_bytes(file);
  const auto refused = [&](const std::string& text, int code, const std::string& part) {
    put_file(file, text);
    const Outcome outcome = heddle_call(tiny_sweep(out));
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_TRUE(holds(outcome.err, part)) << outcome.err;
  };
  auto other = heddle::Json::parse(sound);
  other.erase("checksum");
  other["axes"][0]["values"] = heddle::Json::array();
  refused(other.dump(2), 1, "has no alternative");
  other = heddle::Json::parse(sound);
  other["axes"][0]["setting"] = "../../x";
  other.erase("checksum");
  refused(other.dump(2), 1, "unknown setting");
  other = heddle::Json::parse(sound);
  other["seeds"] = -1;
  other.erase("checksum");
  refused(other.dump(2), 1, "-1 seeds");
  other = heddle::Json::parse(sound);
  other["isa"] = "abacus";
  refused(other.dump(2), 1, "was changed since it was written");
  other.erase("checksum");  // as older files are
  refused(other.dump(2), 2, "'abacus'");
  refused(sound.substr(0, sound.size() / 2), 1, "sweep.json");
  other = heddle::Json::parse(sound);
  other["schema"] = 7;
  other.erase("checksum");
  refused(other.dump(2), 1, "schema");
  other = heddle::Json::parse(sound);
  other.erase("axes");
  other.erase("checksum");
  refused(other.dump(2), 1, "axes");
  put_file(file, sound);
  put_file(out + "/members/heads=1+lr=0.001/seed-1/measures.json", "{\"failure\"");
  const Outcome damaged = heddle_call(tiny_sweep(out));
  EXPECT_EQ(damaged.code, 1);
  EXPECT_TRUE(damaged.one_line() || holds(damaged.err, "measures.json")) << damaged.err;
}

TEST(CliSweep, ATrainingThatDivergesIsAResult) {
  const TempFolder folder;
  const std::string out = folder / "sweep";
  const Outcome outcome = heddle_call({"train", "addition", "--out", out, "--threads", "1", "--set",
                                       "digits=1", "d_model=16", "d_ff=16", "heads=1", "steps=20",
                                       "batch=8", "warmup=0", "lr=1e38,0.001"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "1 of 1 trainings diverged")) << outcome.err;
  const auto results = heddle::Json::parse(file_bytes(out + "/results.json"));
  EXPECT_TRUE(holds(results["members"][0]["failure"].get<std::string>(), "diverged"));
  EXPECT_EQ(results["members"][1]["failure"], "");
  EXPECT_EQ(heddle_call({"report", out, "--check"}).code, 0);
}

TEST(CliSweep, RefusesInOneLineBeforeAnythingIsWritten) {
  const TempFolder folder;
  const std::string out = folder / "sweep";
  const auto refused = [&](const Words& more, const std::string& part) {
    const Outcome outcome = heddle_call(tiny_sweep(out, more));
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_TRUE(holds(outcome.err, part)) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out));
  };
  refused({"norm=pre,pre"}, "'pre' stands in the list twice");
  refused({"d_ff=16,32"}, "model.d_ff is given twice");
  refused({"position=learned,rope"}, "position=rope");
  refused({"order=most,lest"}, "did you mean 'least'");
  refused({"--seed", "18446744073709551615"}, "beyond");
  std::string rates = "lr=0.1";
  for (int i = 1; i < 5000; ++i) rates += fmt::format(",{}", 0.1 / (i + 1));
  const Outcome many =
      heddle_call({"train", "addition", "--seeds", "100000", "--set", rates, "--out", out});
  EXPECT_EQ(many.code, 2);
  EXPECT_TRUE(many.one_line() &&
              holds(many.err, "a sweep of 500000000 members (100000 seeds) needs"))
      << many.err;
  EXPECT_FALSE(std::filesystem::exists(out));
  const Outcome none = heddle_call({"train", "addition", "--seeds", "0", "--out", out});
  EXPECT_EQ(none.code, 2);
  const Outcome hand = heddle_call(
      {"train", "sortedness", "--preset", "hand-built", "--set", "heads=1,2", "--out", out});
  EXPECT_EQ(hand.code, 2);
  EXPECT_TRUE(holds(hand.err, "hand-built")) << hand.err;
}

TEST(CliSweep, ARunAndASweepDoNotShareAFolder) {
  const TempFolder folder;
  const std::string run = folder / "run", sweep = folder / "sweep";
  ASSERT_EQ(heddle_call(tiny_training(run)).code, 0);
  const Outcome over_run = heddle_call(tiny_sweep(run));
  EXPECT_EQ(over_run.code, 2);
  EXPECT_TRUE(holds(over_run.err, "config.json")) << over_run.err;
  ASSERT_EQ(heddle_call(tiny_sweep(sweep)).code, 0);
  const Outcome over_sweep = heddle_call(tiny_training(sweep));
  EXPECT_EQ(over_sweep.code, 2);
  EXPECT_TRUE(holds(over_sweep.err, "holds a sweep")) << over_sweep.err;
  const Outcome compared = heddle_call({"report", sweep, sweep});
  EXPECT_EQ(compared.code, 2);
  EXPECT_TRUE(compared.one_line()) << compared.err;
}

TEST(CliSweep, SeedsAloneAreAPopulationOfOneCell) {
  const TempFolder folder;
  const std::string out = folder / "sweep";
  const Outcome outcome =
      heddle_call({"train", "addition", "--seed", "5", "--seeds", "2", "--out", out, "--set",
                   "digits=1", "d_model=16", "d_ff=16", "heads=2", "steps=2", "batch=8"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* seed : {"5", "6"})
    EXPECT_TRUE(std::filesystem::exists(out + "/members/base/seed-" + seed + "/model.safetensors"));
  const auto results = heddle::Json::parse(file_bytes(out + "/results.json"));
  EXPECT_EQ(results["seeds"], (std::vector<int>{5, 6}));
  EXPECT_EQ(heddle_call({"report", out, "--check"}).code, 0);
}

}  // namespace
}  // namespace heddle
