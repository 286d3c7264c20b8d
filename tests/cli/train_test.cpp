// heddle train: what it writes, and that no stop of any kind changes it.
#include <gtest/gtest.h>

#include "heddle/base/json.hpp"
#include "heddle/base/text.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/holds.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

using std::chrono_literals::operator""ms;

const std::vector<std::string> kLonger{"--set", "steps=200"};

/// The weights of a training that nobody disturbed.
std::string undisturbed(const TempFolder& folder, const std::vector<std::string>& more = kLonger) {
  EXPECT_EQ(heddle_call(tiny_training(folder / "undisturbed", more)).code, 0);
  return weights_of(folder / "undisturbed");
}

TEST(CliTrain, WritesARunAndSaysSo) {
  TempFolder folder;
  const Outcome outcome = heddle_call(tiny_training(folder / "run"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "data hash")) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "step 20")) << outcome.err;
  EXPECT_TRUE(holds(outcome.out, "eval " + folder.path() + "/run --census")) << outcome.out;
  for (const char* file : {"config.json", "model.safetensors", "training_log.json"})
    EXPECT_NE(file_bytes(folder / "run/" + file), "") << file;

  const Outcome again = heddle_call(tiny_training(folder / "run"));
  EXPECT_EQ(again.code, 0);
  EXPECT_TRUE(holds(again.err, "finished already")) << again.err;
}

TEST(CliTrain, JsonIsOneObject) {
  TempFolder folder;
  const Outcome outcome = heddle_call(tiny_training(folder / "run", {"--json", "--quiet"}));
  EXPECT_EQ(outcome.code, 0);
  const auto json = heddle::Json::parse(outcome.out);
  EXPECT_EQ(json.at("task"), "addition");
  EXPECT_EQ(json.at("outcome"), "finished");
  EXPECT_EQ(json.at("steps"), 40);
  EXPECT_EQ(json.at("samples"), 40 * 32);
  EXPECT_EQ(json.at("test").at("greedy").at("total"), 11);
  EXPECT_TRUE(json.at("warnings").is_array());
}

TEST(CliTrain, AnotherConfigurationIsRefused) {
  TempFolder folder;
  ASSERT_EQ(heddle_call(tiny_training(folder / "run")).code, 0);
  const std::string before = weights_of(folder / "run");
  const Outcome outcome = heddle_call(tiny_training(folder / "run", {"--set", "lr=0.5"}));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(outcome.one_line() && holds(outcome.err, "train.lr")) << outcome.err;
  EXPECT_EQ(weights_of(folder / "run"), before);
}

TEST(CliTrain, BadSettingsWriteNothing) {
  TempFolder folder;
  const std::vector<std::vector<std::string>> wrong{{"--set", "d_model=130", "heads=4"},
                                                    {"--set", "batch=-3"},
                                                    {"--set", "hedas=4"},
                                                    {"--set", "source=fixed"},  // 1 digit: too few
                                                    {"--seed", "x"}};
  for (const auto& words : wrong) {
    const Outcome outcome = heddle_call(tiny_training(folder / "run", words));
    EXPECT_EQ(outcome.code, 2) << words[1];
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_TRUE(folder.names().empty()) << words[1];
  }
}

TEST(CliTrain, WhatATaskCannotHaveIsRefusedWithWhatItCan) {
  TempFolder folder;
  struct Wrong {
    const char *task, *setting, *accepted;
  };
  for (const Wrong& wrong :
       {Wrong{"addition", "model.family=classifier", "accepted is by-task or encoder-decoder"},
        Wrong{"reverse", "family=classifier", "accepted is by-task or encoder-decoder"},
        Wrong{"sortedness", "family=encoder-decoder", "accepted is by-task or classifier"},
        Wrong{"modular", "family=encoder-decoder", "accepted is by-task or classifier"},
        Wrong{"modular", "family=decoder", "by-task or encoder-decoder or classifier"},
        Wrong{"addition", "position=alibi", "sinusoidal, learned, none, abacus or coupled"},
        Wrong{"reverse", "position=rope", "reverse accepts sinusoidal, learned, none"},
        Wrong{"sort", "position=coupled", "sort accepts sinusoidal, learned, none"},
        Wrong{"sortedness", "position=abacus", "shaw or kerple or fire"},
        Wrong{"modular", "position=coupled", "modular accepts sinusoidal or learned or none"},
        Wrong{"modular", "position=ropes", "did you mean 'rope'?"},
        Wrong{"addition", "position=learned,fire", "the cell position=fire"},
        Wrong{"reverse", "pooling=max", "a setting of sortedness"}}) {
    const Outcome outcome =
        heddle_call({"train", wrong.task, "--out", folder / "run", "--set", wrong.setting});
    EXPECT_EQ(outcome.code, 2) << wrong.setting;
    EXPECT_TRUE(outcome.one_line() && holds(outcome.err, wrong.accepted)) << outcome.err;
    EXPECT_TRUE(folder.names().empty()) << wrong.setting;
  }
}

TEST(CliTrain, WhatNoMemoryHoldsLeavesRoomForASmallerOne) {
  const TempFolder folder;
  const std::string run = folder / "run";
  for (const char* size : {"d_model=65536", "batch=1048576 d_ff=1048576"}) {
    std::vector<std::string> words{"train", "addition", "--out", run, "--set"};
    for (const std::string& word : heddle::split(size, ' ')) words.push_back(word);
    const Outcome outcome = heddle_call(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(outcome.one_line() && holds(outcome.err, "of memory, and ")) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(run));
  }
  EXPECT_EQ(heddle_call(tiny_training(run)).code, 0);
}

TEST(CliTrain, AFolderThatCannotBeMadeIsOneLineAndOne) {
  TempFolder folder;
  put_file(folder / "file", "x");
  const Outcome outcome = heddle_call(tiny_training(folder / "file/run"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(outcome.one_line()) << outcome.err;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"file"});
}

TEST(CliTrain, TheDefectIsLabelled) {
  TempFolder folder;
  const Outcome outcome = heddle_call(tiny_training(folder / "run", {"--set", "bos=none"}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "reproduction of a defect")) << outcome.err;
  const Outcome eval = heddle_call({"eval", folder / "run"});
  EXPECT_TRUE(holds(eval.err, "reproduction of a defect")) << eval.err;
}

TEST(CliTrain, ThreadsDoNotChangeBits) {
  TempFolder folder;
  const std::string expected = undisturbed(folder);
  for (const char* threads : {"1", "2", "3"}) {
    const std::string run = folder / threads;
    auto words = kLonger;
    words.insert(words.end(), {"--threads", threads});
    EXPECT_EQ(heddle_call(tiny_training(run, words)).code, 0);
    EXPECT_TRUE(weights_of(run) == expected) << threads;
  }
}

TEST(CliTrain, InterruptedAndContinuedIsTheSame) {
  TempFolder folder;
  const std::string expected = undisturbed(folder);
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string run = folder / std::to_string(signal);
    Program program(tiny_training(run, kLonger));
    program.wait_until([&] { return holds(program.err_so_far(), "data hash"); });
    program.send(signal);
    const Outcome stopped = program.wait();
    EXPECT_EQ(stopped.code, 130) << stopped.err;
    EXPECT_TRUE(holds(stopped.err, "To go on: ")) << stopped.err;
    EXPECT_EQ(stopped.out, "");
    const Outcome resumed = heddle_call(tiny_training(run, kLonger));
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_TRUE(holds(resumed.err, "goes on at step")) << resumed.err;
    EXPECT_TRUE(weights_of(run) == expected);
  }
}

TEST(CliTrain, KilledAndContinuedIsTheSame) {
  TempFolder folder;
  const std::string expected = undisturbed(folder), run = folder / "run";
  const Killed killed = kill_again_and_again(tiny_training(run, kLonger), 60, 4ms, 20ms);
  EXPECT_EQ(killed.surprise, "");
  EXPECT_GT(killed.times, 0);
  EXPECT_EQ(heddle_call(tiny_training(run, kLonger)).code, 0);
  EXPECT_TRUE(weights_of(run) == expected);
  for (const auto& entry : std::filesystem::directory_iterator(run))
    EXPECT_FALSE(entry.path().extension() == ".tmp") << entry.path();
}

TEST(CliTrain, AFullDiskKeepsTheState) {
  TempFolder folder;
  const std::string expected = undisturbed(folder), run = folder / "run";
  const std::string state = run + "/state/training.safetensors";
  Program program(tiny_training(run, kLonger));
  program.wait_until([&] { return std::filesystem::exists(state); });
  program.send(SIGKILL);
  ASSERT_NE(program.wait().code, 0);
  const std::string before = file_bytes(state);

  auto quiet = kLonger;
  quiet.emplace_back("--quiet");
  const Outcome full = heddle_call(tiny_training(run, quiet), {.most_file_bytes = 8 << 10});
  EXPECT_EQ(full.code, 1);
  EXPECT_TRUE(full.one_line()) << full.err;
  EXPECT_TRUE(file_bytes(state) == before);

  EXPECT_EQ(heddle_call(tiny_training(run, kLonger)).code, 0);
  EXPECT_TRUE(weights_of(run) == expected);
}

TEST(CliTrain, TwoAtOnceInOneFolderAreRefused) {
  TempFolder folder;
  Program first(tiny_training(folder / "run", {"--set", "steps=100000"}));
  first.wait_until([&] { return holds(first.err_so_far(), "data hash"); });
  const Outcome second = heddle_call(tiny_training(folder / "run", {"--set", "steps=100000"}));
  EXPECT_EQ(second.code, 1);
  EXPECT_TRUE(second.one_line()) << second.err;
}

}  // namespace
}  // namespace heddle
