// What a run's folder holds belongs together: results of other weights, a state of other data, two
// programs in one folder. Each is named in one line, and nothing is mixed.
#include <filesystem>

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/base/json.hpp"
#include "heddle/model/checkpoint.hpp"
#include "heddle/model/member.hpp"
#include "heddle/model/save_member.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/golden_import.hpp"
#include "tests/support/holds.hpp"
#include "tests/support/print_json.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle {
namespace {

using Words = std::vector<std::string>;
using std::chrono_literals::operator""ms;

void refused(const Words& words, int code, const Words& parts) {
  const Outcome outcome = heddle_call(words);
  EXPECT_EQ(outcome.code, code) << words[0] << ": " << outcome.err;
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  for (const std::string& part : parts) EXPECT_TRUE(holds(outcome.err, part)) << outcome.err;
}

/// The same settings, other weights.
void perturb_weights(const std::string& run) {
  const Member member = load_member(run);
  testing::perturb(member.weights);
  save_weights(run + "/model.safetensors", member.weights, member.metadata);
}

TEST(CliBelongsTogether, ResultsOfOtherWeightsAreNamedAndLeftOut) {
  const TempFolder folder;
  const std::string run = folder / "run", other = folder / "other";
  ASSERT_EQ(heddle_call(tiny_training(run)).code, 0);
  for (const char* command : {"eval", "ablate", "specialise"})
    ASSERT_EQ(heddle_call({command, run}).code, 0) << command;
  ASSERT_EQ(heddle_call({"report", run}).code, 0);
  Json results = Json::parse(file_bytes(run + "/results.json"));
  ASSERT_EQ(results.at("missing").size(), 1U) << results.at("missing").dump();  // pruning
  EXPECT_EQ(results.at("weights_hash").get<std::string>().size(), 16U);
  for (const char* name : {"score", "attention", "ablation", "specialisation"}) {
    const Json kept = Json::parse(file_bytes(run + "/lens/" + name + ".json"));
    EXPECT_EQ(kept.at("weights"), results.at("weights_hash")) << name;
    EXPECT_EQ(kept.at("settings"), results.at("config_hash")) << name;
    EXPECT_EQ(kept.at("data"), results.at("data_hash")) << name;
  }
  perturb_weights(run);
  const Outcome outcome = heddle_call({"report", run});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "without score, measured on other weights")) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "without ablation, measured on other weights")) << outcome.err;
  results = Json::parse(file_bytes(run + "/results.json"));
  EXPECT_TRUE(results.at("score").at("whole").empty());
  EXPECT_TRUE(results.at("ablation").at("heads").empty());
  EXPECT_TRUE(results.at("pictures").empty());
  // Of another seed they do not even belong to the settings.
  ASSERT_EQ(heddle_call(tiny_training(other, {"seed=2"})).code, 0);
  put_file(run + "/model.safetensors", file_bytes(other + "/model.safetensors"));
  for (const char* command : {"eval", "ablate", "report", "audit"})
    refused({command, run}, 1, {"config.json' does not belong to", "seed=1, and seed=2 fits"});
  refused({"ask", run, "1+2"}, 1, {"does not belong to"});
  refused(tiny_training(run), 1, {"does not belong to"});
}

TEST(CliBelongsTogether, ALogOfAnotherStepIsNamed) {
  const TempFolder folder;
  const std::string run = folder / "run";
  ASSERT_EQ(heddle_call(tiny_training(run)).code, 0);
  const Member member = load_member(run);
  Metadata metadata = member.metadata;
  metadata["heddle.step"] = "1";
  save_weights(run + "/model.safetensors", member.weights, metadata);
  const Outcome outcome = heddle_call({"report", run});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "without the training, its log tells of other weights"))
      << outcome.err;
  EXPECT_TRUE(Json::parse(file_bytes(run + "/results.json")).at("curve").empty());
}

/// Pairs that a tiny model reads; `last` is the answer of the last.
void put_pairs(const std::string& path, const std::string& last) {
  std::string text = "input,output\n";
  for (int i = 0; i < 60; ++i) text += fmt::format("{} {},{} {}\n", i % 7, i % 9, i % 9, i % 7);
  put_file(path, text + "6 8," + last + "\n");
}

Words file_training(const std::string& csv, const std::string& run, const Words& more = {}) {
  Words words{"train",      "file:" + csv, "--out",   run,       "--set",
              "d_model=16", "d_ff=16",     "heads=2", "batch=8", "eval_every=50"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Interrupts a training that has a state, its own or the one it goes on from.
void interrupt(const Words& words, const std::string& run) {
  Program program(words);
  program.wait_until([&] {
    return holds(program.err_so_far(), "data hash") &&
           file_exists(run + "/state/training.safetensors");
  });
  program.send(SIGINT);
  ASSERT_EQ(program.wait().code, 130);
}

TEST(CliBelongsTogether, DataThatChangedUnderATrainingAreRefused) {
  const TempFolder folder;
  const std::string csv = folder / "p.csv", run = folder / "run";
  put_pairs(csv, "8 6");
  const Words words = file_training(csv, run, {"steps=100000"});
  ASSERT_NO_FATAL_FAILURE(interrupt(words, run));
  const std::string state = file_bytes(run + "/state/training.safetensors");
  put_pairs(csv, "8 5");
  refused(words, 1, {"p.csv' changed since the training in", "put the old data back"});
  EXPECT_TRUE(file_bytes(run + "/state/training.safetensors") == state);
  put_pairs(csv, "8 6");
  ASSERT_NO_FATAL_FAILURE(interrupt(words, run));  // goes on
  std::filesystem::remove(run + "/config.json");
  refused(words, 1, {"holds a training and no config.json"});
}

TEST(CliBelongsTogether, DataThatChangedAfterATrainingAreRefused) {
  const TempFolder folder;
  const std::string csv = folder / "p.csv", run = folder / "run";
  put_pairs(csv, "8 6");
  const Words words = file_training(csv, run, {"steps=20"});
  ASSERT_EQ(heddle_call(words).code, 0);
  put_pairs(csv, "8 5");
  refused(words, 1, {"is finished, and its data changed"});
}

/// The state with other metadata; its checksum fits.
void rewrite_state(const std::string& run, const std::string& number, const Json& value) {
  const std::string path = run + "/state/training.safetensors";
  SafetensorsFile file = read_safetensors(path);
  Json numbers = Json::parse(file.metadata.at("numbers"));
  numbers[number] = value;
  file.metadata["numbers"] = numbers.dump();
  write_safetensors(path, file.tensors, file.metadata);
}

/// The same file as another program may write it: without our two entries.
void remove_checksum(const std::string& path) {
  const std::string bytes = file_bytes(path);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  Json header = Json::parse(bytes.substr(sizeof length, length));
  header["__metadata__"].erase("heddle.file");
  header["__metadata__"].erase("heddle.checksum");
  const std::string text = header.dump();
  length = text.size();
  const std::string size(reinterpret_cast<const char*>(&length), sizeof length);
  std::memcpy(&length, bytes.data(), sizeof length);
  put_file(path, size + text + bytes.substr(sizeof length + length));
}

TEST(CliBelongsTogether, AStateThatCannotBeIsRefused) {
  const TempFolder folder;
  const std::string run = folder / "run", state = run + "/state/training.safetensors";
  const Words words = tiny_training(run, {"steps=100000"});
  ASSERT_NO_FATAL_FAILURE(interrupt(words, run));
  const std::string sound = file_bytes(state);
  for (const Json& step : {Json(1'000'000), Json(0), Json(-5)}) {
    rewrite_state(run, "step", step);
    refused(words, 1, {"says that it stands at step " + step.dump(), "accepted is 1 to 100000"});
    put_file(state, sound);
  }
  for (const Json& step : {Json(std::uint64_t{1} << 63U), Json(0x1p64), Json("20"), Json()}) {
    rewrite_state(run, "step", step);
    refused(words, 1, {"is not a training state"});
    put_file(state, sound);
  }
  remove_checksum(state);
  ASSERT_FALSE(read_safetensors(state).checked);
  refused(words, 1, {"carries no checksum"});
  put_file(state, sound);
  ASSERT_NO_FATAL_FAILURE(interrupt(words, run));
}

TEST(CliBelongsTogether, WhatWasSeenInTheDataOutlivesAnyDeath) {
  const TempFolder folder;
  const std::string csv = folder / "p.csv", run = folder / "run", data = run + "/lens/data.json";
  put_pairs(csv, "8 6");
  const Words words = file_training(csv, run, {"steps=100000"});
  Program program(words);  // there before the first step
  program.wait_until([&] { return file_exists(run + "/state/training.safetensors"); });
  program.send(SIGKILL);
  program.wait();
  ASSERT_TRUE(file_exists(data));
  const std::string run2 = folder / "run2", data2 = run2 + "/lens/data.json";
  const Words short_words = file_training(csv, run2, {"steps=20"});
  ASSERT_EQ(heddle_call(short_words).code, 0);
  const std::string sound = file_bytes(data2);
  std::filesystem::remove(data2);
  const Outcome report = heddle_call({"report", run2});
  EXPECT_TRUE(holds(report.err, "without the data, not measured yet: heddle train file:"))
      << report.err;
  ASSERT_EQ(heddle_call(short_words).code, 0);  // finished already: only this is made again
  EXPECT_EQ(file_bytes(data2), sound);
}

Words importing(const std::string& run) {
  return {"import", testing::golden_import_path("adder.safetensors"),
          "--map",  testing::golden_import_path("adder_map.json"),
          "--out",  run};
}

TEST(CliBelongsTogether, AFolderThatAnotherHoldsIsRefusedAtOnce) {
  const TempFolder folder;
  const std::string run = folder / "run", held = folder / "held";
  ASSERT_EQ(heddle_call(tiny_training(run)).code, 0);
  std::filesystem::create_directories(held);
  const FolderLock lock(held);
  for (const Words& words :
       {importing(held), Words{"prune", run, "--keep", "2", "--out", held}, tiny_training(held)})
    refused(words, 1, {"held' is in use by another heddle"});
}

/// Many at once: whoever ends well left its own, and what is there is whole.
TEST(CliBelongsTogether, ManyPrunesIntoOneFolder) {
  const TempFolder folder;
  const std::string run = folder / "run", out = folder / "deep/out";
  ASSERT_EQ(heddle_call(tiny_training(run)).code, 0);
  std::vector<std::unique_ptr<Program>> programs;
  for (int keep = 1; keep <= 6; ++keep)
    programs.push_back(std::make_unique<Program>(
        Words{"prune", run, "--keep", std::to_string(keep), "--out", out, "--json"}));
  int succeeded = 0;
  for (const auto& program : programs) {
    const Outcome outcome = program->wait();
    if (outcome.code != 0) {
      EXPECT_TRUE(outcome.one_line()) << outcome.err;
      continue;
    }
    ++succeeded;
    std::int64_t left = 0;
    const Member member = load_member(out);
    for (const HeadGroup& group : member.model->taps().heads()) left += group.heads;
    EXPECT_EQ(Json::parse(outcome.out).at("heads_left"), left);
  }
  EXPECT_EQ(succeeded, 1);
}

TEST(CliBelongsTogether, APlaceIsCheckedBeforeTheWork) {
  const TempFolder folder;
  const std::string run = folder / "run";
  ASSERT_EQ(heddle_call(tiny_training(run)).code, 0);
  std::filesystem::create_directories(folder / "there");
  std::filesystem::create_directory_symlink(folder / "there", folder / "link");
  std::filesystem::create_directory_symlink(folder / "nowhere", folder / "dangling");
  for (const char* name : {"link", "there/new"})  // a link leads somewhere: that is the folder
    ASSERT_EQ(heddle_call({"prune", run, "--keep", "2", "--out", folder / name}).code, 0) << name;
  EXPECT_TRUE(file_exists(folder / "there/model.safetensors"));
  put_file(folder / "file", "mine");
  for (const char* name : {"dangling", "file"}) {
    refused({"prune", run, "--keep", "2", "--out", folder / name}, 1, {"is not a folder"});
    refused(importing(folder / name), 1, {"is not a folder"});
  }
  EXPECT_EQ(file_bytes(folder / "file"), "mine");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "dangling"));
}

/// What could not be made leaves nothing: neither the folder nor those above it.
TEST(CliBelongsTogether, AFailedImportLeavesNothing) {
  const TempFolder folder;
  Words words = importing(folder / "a/b/run");
  words[1] = testing::golden_import_path("sorter.safetensors");  // none of its tensors fits
  const Outcome outcome = heddle_call(words);
  EXPECT_NE(outcome.code, 0);
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  EXPECT_EQ(folder.names(), Words{});
}

/// Killed between its two files it left settings alone: they stand in nobody's way.
TEST(CliBelongsTogether, LeftoversOfTheKilledAreWrittenOver) {
  const TempFolder folder;
  const std::string run = folder / "run";
  ASSERT_EQ(heddle_call(tiny_training(folder / "other")).code, 0);
  std::filesystem::create_directories(run);
  put_file(run + "/config.json", file_bytes(folder / "other/config.json"));
  put_file(run + "/.lock", "");
  put_file(run + "/.heddle-1-0.tmp", "half");
  ASSERT_EQ(heddle_call(importing(run)).code, 0);
  EXPECT_EQ(heddle_call({"ask", run, "12+34"}).code, 0);
}

}  // namespace
}  // namespace heddle
