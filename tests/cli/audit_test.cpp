// heddle audit, as a user calls it.
#include <gtest/gtest.h>

#include "heddle/base/json.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/holds.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

/// The verdict of one check of `audit --json`.
std::string verdict(const std::string& json, const std::string& name) {
  const auto audit = heddle::Json::parse(json);
  for (const auto& check : audit.at("checks"))
    if (check.at("name") == name) return check.at("verdict").get<std::string>();
  return "missing";
}

TEST(CliAudit, ASoundRunFailsNoneOfTheChecksOfItsMaking) {
  const TempFolder folder;
  ASSERT_EQ(heddle_call(tiny_training(folder / "run", {"--quiet"})).code, 0);
  const Outcome json = heddle_call({"audit", folder / "run", "--json", "--quiet"});
  EXPECT_EQ(json.err, "");
  for (const char* name :
       {"forced = greedy", "start token", "loss covers the answer", "batch-mean arithmetic",
        "same data", "split leaks", "commuted twins", "contradictions", "finite weights",
        "untrained rows", "size of positions", "padding", "causality", "hears the question"})
    EXPECT_EQ(verdict(json.out, name), "pass") << name;
  const auto failed = heddle::Json::parse(json.out).at("failed").get<int>();
  EXPECT_EQ(json.code, failed > 0 ? 1 : 0);
  // The same words for any number of threads.
  const Outcome one = heddle_call({"audit", folder / "run", "--threads", "1"});
  EXPECT_EQ(one.out, heddle_call({"audit", folder / "run", "--threads", "2"}).out);
  EXPECT_TRUE(holds(one.out, "✓ pass"));
}

TEST(CliAudit, TheReportsDefectsAreNamed) {
  const TempFolder folder;
  const std::string run = folder / "run";
  ASSERT_EQ(heddle_call(tiny_training(run, {"bos=none", "pad=zero", "--quiet"})).code, 0);
  const Outcome json = heddle_call({"audit", run, "--json"});
  EXPECT_EQ(json.code, 1);
  for (const char* name : {"start token", "loss covers the answer", "constant first token"})
    EXPECT_EQ(verdict(json.out, name), "fail") << name;
  const Outcome text = heddle_call({"audit", run});
  EXPECT_EQ(text.code, 1);
  EXPECT_TRUE(holds(text.out, "✗ FAIL"));
  EXPECT_TRUE(holds(text.out, "do: start both from a token of its own"));
}

TEST(CliAudit, AHandBuiltRunPassesWithExitCodeZero) {
  const TempFolder folder;
  const std::string run = folder / "run";
  ASSERT_EQ(
      heddle_call({"train", "sortedness", "--preset", "hand-built", "--out", run, "--quiet"}).code,
      0);
  const Outcome text = heddle_call({"audit", run});
  EXPECT_EQ(text.code, 0) << text.out;
  EXPECT_TRUE(holds(text.out, "? could not tell"));
}

TEST(CliAudit, WhatIsTypedWronglyIsRefused) {
  const TempFolder folder;
  const Outcome claim = heddle_call({"audit", folder / "run", "--claimed", "most"});
  EXPECT_EQ(claim.code, 2);
  EXPECT_TRUE(claim.one_line()) << claim.err;
  const Outcome run = heddle_call({"audit", folder / "run"});
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(run.one_line()) << run.err;
}

}  // namespace
}  // namespace heddle
