// What is typed: help, names, flags, and where the result goes.
#include <array>

#include <gtest/gtest.h>

#include "tests/cli/program.hpp"
#include "tests/support/holds.hpp"

namespace heddle {
namespace {

const std::vector<std::string> kCommands{"train", "eval", "ask", "taps", "capture", "config"};

TEST(CliWords, HelpStandsOnStandardOutput) {
  const Outcome all = heddle_call({"--help"});
  EXPECT_EQ(all.code, 0);
  EXPECT_EQ(all.err, "");
  for (const std::string& command : kCommands) {
    EXPECT_TRUE(holds(all.out, command)) << command;
    const Outcome one = heddle_call({command, "--help"});
    EXPECT_EQ(one.code, 0) << command;
    EXPECT_TRUE(holds(one.out, "Example")) << command;
    EXPECT_TRUE(holds(one.out, "--threads N")) << command;
    EXPECT_EQ(heddle_call({"help", command}).out, one.out);
  }
}

TEST(CliWords, NoCommandShowsTheHelpAndFails) {
  const Outcome none = heddle_call({});
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.out, "");
  EXPECT_TRUE(holds(none.err, "eval run --census"));
}

TEST(CliWords, Version) {
  const Outcome version = heddle_call({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.out.starts_with("heddle ")) << version.out;
}

/// Words that are wrong, and what the one line has to say.
struct WrongWords {
  std::vector<std::string> words;
  std::string says;
};

TEST(CliWords, WhatIsTypedWronglyIsOneLineAndTwo) {
  const std::vector<WrongWords> cases{
      {{"trian", "addition"}, "did you mean 'train'"},
      {{"--json"}, "the command comes first"},
      {{"train", "addition", "--ot", "x"}, "did you mean '--out'"},
      {{"train", "addition", "--colour", "x"}, "train --help"},
      {{"train", "addition"}, "--out RUN"},
      {{"train", "addition", "--out"}, "--out needs a value"},
      {{"train", "addition", "--out", "--json"}, "--out needs a value"},
      {{"train", "addition", "--out", "a", "--out", "b"}, "twice"},
      {{"train", "--out", "a"}, "train needs TASK"},
      {{"train", "subtraction", "--out", "a"}, "addition"},
      {{"train", "addition", "more", "--out", "a"}, "'more'"},
      {{"train", "addition", "--out", "a", "--json=1"}, "takes no value"},
      {{"train", "addition", "--out", "a", "--seed", "-1"}, "seed"},
      {{"train", "addition", "--out", "a", "--preset", "as-reportet"}, "as-reported"},
      {{"train", "addition", "--out", ""}, "--out is empty"},
      {{"config", "--threads", "0"}, "--threads '0'"},
      {{"config", "--isa", "avx1024"}, "avx1024"},
      {{"config", "--set", "hedas=2"}, "heads"},
      {{"config", "--set", "digits"}, "digits"},
      {{"eval"}, "eval needs RUN"},
  };
  TempFolder folder;
  for (const WrongWords& wrong : cases) {
    const Outcome outcome = heddle_call(wrong.words);
    EXPECT_EQ(outcome.code, 2) << wrong.words.back() << ": " << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_TRUE(holds(outcome.err, wrong.says)) << outcome.err;
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
  }
}

TEST(CliWords, AResultThatCannotBeWrittenIsAFailure) {
  const Outcome full = heddle_call({"config"}, {.out_path = "/dev/full"});
  EXPECT_EQ(full.code, 1);
  EXPECT_TRUE(full.one_line()) << full.err;
  const Outcome closed = heddle_call({"config"}, {.out_closed = true});
  EXPECT_EQ(closed.code, 1);
  EXPECT_TRUE(closed.one_line()) << closed.err;
}

TEST(CliWords, AReaderThatHasSeenEnoughIsNoFailure) {
  std::array<int, 2> ends{-1, -1};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  ::close(ends[0]);
  const Outcome outcome = heddle_call({"config"}, {.out_descriptor = ends[1]});
  ::close(ends[1]);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
}

TEST(CliWords, ConfigListsEverySetting) {
  const Outcome table = heddle_call({"config", "--set", "train.batch=64", "seed=9"});
  EXPECT_EQ(table.code, 0);
  for (const char* name : {"task.digits", "model.heads", "train.batch", "seed"})
    EXPECT_TRUE(holds(table.out, name)) << name;
  const Outcome json = heddle_call({"config", "--json", "--preset", "as-reported"});
  EXPECT_EQ(json.code, 0);
  EXPECT_TRUE(json.out.starts_with("{") && json.out.ends_with("}\n"));
  EXPECT_TRUE(holds(json.out, R"({"name":"task.bos","value":"none","default":"token")"));
  EXPECT_TRUE(holds(json.err, "reproduction of a defect"));
}

TEST(CliWords, ConfigFitsATerminal) {
  for (const char* task : {"addition", "sortedness", "file"}) {
    const Outcome table = heddle_call({"config", task});
    for (std::size_t at = 0; at < table.out.size();) {
      const std::size_t end = table.out.find('\n', at);
      EXPECT_LE(end - at, 80U) << table.out.substr(at, end - at);
      at = end + 1;
    }
  }
  EXPECT_TRUE(holds(heddle_call({"config", "--set", "seed=9"}).out, "\nseed = 9  (default 1)\n"));
}

TEST(CliWords, SettingsThatCannotBeAreRefused) {
  const std::vector<WrongWords> cases{{{"config", "--set", "d_model=130", "heads=4"}, "130"},
                                      {{"config", "--set", "batch=-1"}, "-1"},
                                      {{"config", "--set", "unknown_setting=1"}, "unknown_setting"},
                                      {{"config", "--set", "heads=four"}, "four"}};
  for (const WrongWords& wrong : cases) {
    const Outcome outcome = heddle_call(wrong.words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(outcome.one_line() && holds(outcome.err, wrong.says)) << outcome.err;
  }
}

}  // namespace
}  // namespace heddle
