// The corpus over every target, and what a corpus of small files cannot hold: nesting of any depth.
// A finding of the fuzzer becomes a file in the corpus, or a test of its own beside the parser.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "tests/fuzz/json_mutator.hpp"
#include "tests/fuzz/target.hpp"

namespace heddle::testing {
namespace {

namespace fs = std::filesystem;

/// Why the target may not take these bytes; empty if all is well.
std::string broken_by(const FuzzTarget& target, std::string_view bytes) {
  try {
    target.run(bytes);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

class FuzzCorpus : public ::testing::TestWithParam<std::size_t> {
 protected:
  const FuzzTarget& target() const { return fuzz_targets()[GetParam()]; }

  std::vector<std::string> seeds() const {
    std::vector<std::string> paths;
    for (const auto& entry :
         fs::directory_iterator(fmt::format("{}/fuzz/corpus/{}", HEDDLE_TEST_DATA, target().name)))
      paths.push_back(entry.path().string());
    std::ranges::sort(paths);
    return paths;
  }
};

TEST_P(FuzzCorpus, EverySeedIsReadOrRefusedSoundly) {
  const auto paths = seeds();
  EXPECT_FALSE(paths.empty());
  for (const std::string& path : paths) {
    const std::string bytes = read_file(path);
    EXPECT_EQ(broken_by(target(), bytes), "") << path;
    EXPECT_EQ(broken_by(target(), bytes.substr(0, bytes.size() / 2)), "") << path << " cut off";
  }
}

TEST_P(FuzzCorpus, ChangedSeedsAreReadOrRefusedSoundly) {
  constexpr std::uint64_t kChanges = 40;
  constexpr std::size_t kMost = 1 << 16;
  if (!target().json) GTEST_SKIP() << "its bytes are no JSON";
  for (const std::string& path : seeds()) {
    std::string bytes = read_file(path);
    for (std::uint64_t i = 0; i < kChanges; ++i) {
      const std::string changed = mutated_json(bytes, kMost, i);
      EXPECT_EQ(broken_by(target(), changed), "") << path << ", change " << i;
      if (i % 3 == 0) bytes = changed;
    }
  }
}

TEST_P(FuzzCorpus, AMillionLevelsAreRefused) {
  constexpr std::size_t kLevels = 1'000'000;
  if (!target().json) GTEST_SKIP() << "its bytes are no JSON";
  for (const bool objects : {false, true})
    for (const bool closed : {false, true})
      EXPECT_EQ(broken_by(target(), nested_json(kLevels, objects, closed)), "");
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzCorpus,
                         ::testing::Range<std::size_t>(0, fuzz_targets().size()),
                         [](const auto& row) {
                           return std::string(fuzz_targets()[row.param].name);
                         });

TEST(FuzzTargets, ABrokenPromiseIsSeen) {
  const FuzzTarget lies{"lies", [](std::string_view) { require(false, "all is well"); }};
  EXPECT_EQ(broken_by(lies, ""), "broken: all is well");
  EXPECT_THROW(require_sound("two\nlines"), BrokenPromise);
  EXPECT_THROW(require_sound("[json.exception.type_error.302] …"), BrokenPromise);
  EXPECT_EQ(find_target("json")->name, "json");
  EXPECT_EQ(find_target("no such"), nullptr);
}

TEST(FuzzTargets, TheMutatorChangesJsonAsJson) {
  const std::string text = R"({"a": [1, "two, three"], "b": {"c": null}})";
  bool deep = false, large = false;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const std::string changed = mutated_json(text, 1 << 12, i);
    EXPECT_LE(changed.size(), std::size_t{1} << 12U);
    deep |= changed.find(std::string(200, '[')) != std::string::npos;
    large |= changed.find("18446744073709551616") != std::string::npos;
  }
  EXPECT_TRUE(deep);
  EXPECT_TRUE(large);
  EXPECT_EQ(mutated_json("", 100, 1), "");
  EXPECT_EQ(nested_json(2, true, true), R"({"a":{"a":0}})");
}

}  // namespace
}  // namespace heddle::testing
