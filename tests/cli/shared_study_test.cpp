// A study shared by several processes: --plan, member and conclude give what study gives.
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include "heddle/base/json.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/holds.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

using Words = std::vector<std::string>;

Words addition_words(const std::string& out, const Words& more = {}) {
  Words words{"study", "addition", "--out", out, "--set"};
  for (const char* setting : {"d_model=8",
                              "d_ff=8",
                              "heads=2",
                              "encoder_layers=1",
                              "decoder_layers=1",
                              "steps=10",
                              "batch=16",
                              "eval_every=5",
                              "study.reported_steps=10",
                              "study.corrected=0",
                              "study.reported_zero=0",
                              "study.test=30",
                              "study.reference=20",
                              "study.ablation=20",
                              "study.donors=2",
                              "study.pairs=10",
                              "study.choose=10",
                              "study.score=20",
                              "study.random_orders=1",
                              "study.free_heads=20",
                              "study.fine_tune_steps=3",
                              "study.scratch_steps=5",
                              "study.specialise=20",
                              "study.patch_pairs=4",
                              "study.probe_train=60",
                              "study.probe_test=60",
                              "study.snapshots=2",
                              "study.snapshot_problems=10"})
    words.emplace_back(setting);
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Words sortedness_words(const std::string& out, const Words& more = {}) {
  Words words{"study", "sortedness", "--out", out, "--set", "batch=8"};
  for (const char* setting : {"d_model=8", "layers=1", "steps=6", "required=0", "reported_steps=5",
                              "reported_d_model=8", "seeds=1", "variants=1", "count=4",
                              "recipe_count=4", "far_count=2", "longest=256", "explain_pairs=1"})
    words.push_back(std::string("study.") + setting);
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Words sweep_words(const std::string& out, const Words& more = {}) {
  Words words{"train",     "addition", "--out",        out,
              "--seeds",   "2",        "--set",        "digits=1",
              "heads=1,2", "d_ff=8",   "d_model=8",    "encoder_layers=1",
              "steps=3",   "batch=8",  "eval_every=1", "decoder_layers=1"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Words lines_of(const std::string& text) {
  Words lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// All members by hand, two processes at once, each member asked for by both.
void make_members(const std::string& folder, const Words& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    Program one({"member", folder, names[i], "--threads", "1"});
    Program two({"member", folder, names[names.size() - 1 - i], "--threads", "1"});
    Program same({"member", folder, names[i], "--threads", "1", "--json"});
    for (Program* program : {&one, &two, &same}) {
      const Outcome outcome = program->wait();
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_FALSE(outcome.out.empty());
    }
  }
}

void expect_shared_is_whole(Words (*words)(const std::string&, const Words&)) {
  const TempFolder folder;
  const std::string whole = folder / "whole", shared = folder / "shared";
  const Outcome at_once = heddle_call(words(whole, {}));
  ASSERT_EQ(at_once.code, 0) << at_once.err;
  const Outcome planned = heddle_call(words(shared, {"--plan"}));
  ASSERT_EQ(planned.code, 0) << planned.err;
  const Words names = lines_of(planned.out);
  ASSERT_GE(names.size(), 3U) << planned.out;
  EXPECT_FALSE(std::filesystem::exists(shared + "/members"));
  EXPECT_TRUE(std::filesystem::exists(shared + "/plan.json"));
  const Outcome early = heddle_call({"conclude", shared});
  EXPECT_EQ(early.code, 1);
  EXPECT_TRUE(early.one_line()) << early.err;
  EXPECT_TRUE(holds(early.err, names.back())) << early.err;
  EXPECT_TRUE(holds(early.err, "heddle member")) << early.err;
  make_members(shared, names);
  const Outcome concluded = heddle_call({"conclude", shared});
  ASSERT_EQ(concluded.code, 0) << concluded.err;
  for (const char* file : {"/results.json", "/index.html", "/report.md", "/plan.json"})
    EXPECT_TRUE(file_bytes(shared + file) == file_bytes(whole + file)) << file;
  EXPECT_EQ(heddle_call({"report", shared, "--check"}).code, 0);
  // The study itself finds everything done, and the same to say.
  const auto listed = Json::parse(heddle_call(words(shared, {"--plan", "--json"})).out);
  for (const auto& member : listed["members"]) EXPECT_EQ(member["done"], true) << member;
  const Outcome again = heddle_call(words(shared, {}));
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(holds(again.err, "members are done already")) << again.err;
  EXPECT_TRUE(file_bytes(shared + "/results.json") == file_bytes(whole + "/results.json"));
}

TEST(CliSharedStudy, AdditionByHandIsAdditionAtOnce) {
  expect_shared_is_whole(addition_words);
}

TEST(CliSharedStudy, SortednessByHandIsSortednessAtOnceHandBuiltMemberToo) {
  expect_shared_is_whole(sortedness_words);
}

TEST(CliSharedStudy, ASweepByHandIsASweepAtOnce) {
  expect_shared_is_whole(sweep_words);
}

TEST(CliSharedStudy, StudiesBesideEachOtherTakeWhatIsLeft) {
  const TempFolder folder;
  const std::string whole = folder / "whole", shared = folder / "shared";
  ASSERT_EQ(heddle_call(sweep_words(whole)).code, 0);
  Program one(sweep_words(shared, {"--threads", "2"})), two(sweep_words(shared));
  Program killed(sweep_words(shared, {"--threads", "1"}));
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  killed.send(SIGKILL);
  for (Program* program : {&one, &two}) {
    const Outcome outcome = program->wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
  EXPECT_TRUE(file_bytes(shared + "/results.json") == file_bytes(whole + "/results.json"));
}

TEST(CliSharedStudy, AMemberKilledAgainAndAgainIsTheSame) {
  using std::chrono_literals::operator""ms;
  const TempFolder folder;
  const std::string whole = folder / "whole", parts = folder / "parts";
  const Words more{"steps=60", "eval_every=5", "--plan"};
  for (const std::string& out : {whole, parts})
    ASSERT_EQ(heddle_call(sweep_words(out, more)).code, 0);
  const std::string name = "heads=1/seed-1";
  ASSERT_EQ(heddle_call({"member", whole, name}).code, 0);
  const Killed killed = kill_again_and_again({"member", parts, name}, 30, 10ms, 20ms);
  EXPECT_EQ(killed.surprise, "");
  EXPECT_GT(killed.times, 0);
  EXPECT_EQ(heddle_call({"member", parts, name}).code, 0);
  for (const char* file : {"/model.safetensors", "/measures.json"})
    EXPECT_TRUE(file_bytes(parts + "/members/" + name + file) ==
                file_bytes(whole + "/members/" + name + file))
        << file;
}

TEST(CliSharedStudy, RefusesInOneLineWhatIsNoMemberOrNoStudy) {
  const TempFolder folder;
  const std::string out = folder / "study";
  ASSERT_EQ(heddle_call(addition_words(out, {"--plan"})).code, 0);
  const auto refused = [&](Words words, int code, const Words& parts) {
    const Outcome outcome = heddle_call(std::move(words));
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    for (const std::string& part : parts) EXPECT_TRUE(holds(outcome.err, part)) << outcome.err;
  };
  refused({"member", out, "tuned-9"}, 2, {"'tuned-9'", "tuned-1", "tuned-2"});
  refused({"member", out, "hopeless"}, 2, {"'hopeless'", "accepted is", "tuned-1"});
  refused({"member", folder / "nowhere", "tuned-1"}, 2, {"is no study", "--plan"});
  refused({"conclude", folder.path()}, 2, {"is no study", "--plan"});
  refused({"conclude", ""}, 2, {"STUDY"});
  refused({"study", "--plan", "--out", folder / "all"}, 2, {"--plan", "addition or sortedness"});
  refused({"train", "addition", "--plan", "--out", folder / "run"}, 2, {"--plan", "--seeds"});
  const std::string file = out + "/study.json", sound = file_bytes(file);
  auto other = Json::parse(sound);
  other["version"] = "0.0.7";
  other.erase("checksum");  // as older files are
  put_file(file, other.dump());
  for (const Words& words : {Words{"member", out, "tuned-1"}, Words{"conclude", out},
                             addition_words(out), addition_words(out, {"--plan"})})
    refused(words, 2, {"version '0.0.7'", "accepted is"});
  put_file(file, sound.substr(0, sound.size() / 2));
  refused({"member", out, "tuned-1"}, 1, {"study.json"});
  put_file(file, sound);
  put_file(out + "/plan.json", "{\"schema\": 7}");
  for (const Words& words : {Words{"member", out, "tuned-1"}, Words{"conclude", out},
                             addition_words(out), addition_words(out, {"--plan"})})
    refused(words, 1, {"plan.json", "schema is 7", "accepted is 1"});
}

TEST(CliSharedStudy, ASweepOfAnotherVersionIsRefused) {
  const TempFolder folder;
  const std::string out = folder / "sweep", file = out + "/sweep.json";
  ASSERT_EQ(heddle_call(sweep_words(out, {"--plan"})).code, 0);
  auto other = Json::parse(file_bytes(file));
  other["version"] = "0.0.7";
  other.erase("checksum");  // as older files are
  put_file(file, other.dump(2));
  for (const Words& words : {Words{"member", out, "heads=1/seed-1"}, Words{"conclude", out}}) {
    const Outcome outcome = heddle_call(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_TRUE(holds(outcome.err, "version '0.0.7'")) << outcome.err;
  }
}

TEST(CliSharedStudy, AFolderFromBeforeThePlansGoesOn) {
  const TempFolder folder;
  const std::string whole = folder / "whole", old = folder / "old";
  for (const std::string& out : {whole, old}) ASSERT_EQ(heddle_call(sweep_words(out)).code, 0);
  std::filesystem::remove(old + "/plan.json");
  std::filesystem::remove(old + "/results.json");
  std::filesystem::remove(old + "/members/heads=2/seed-1/measures.json");
  const Outcome outcome = heddle_call(sweep_words(old));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "3 of 4 members are done already")) << outcome.err;
  EXPECT_TRUE(file_bytes(old + "/results.json") == file_bytes(whole + "/results.json"));
}

}  // namespace
}  // namespace heddle
