// Conversations with other programs.
#include "heddle/base/process.hpp"

#include <chrono>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"

namespace heddle {
namespace {

TEST(ChildProgram, SaysALineAndHearsOne) {
  ChildProgram echo({"cat"});
  EXPECT_EQ(echo.ask("one", 10), "one");
  EXPECT_EQ(echo.ask("two words", 10), "two words");
}

TEST(ChildProgram, ProgramsThatEndGiveNoAnswer) {
  ChildProgram gone({"sh", "-c", "read line"});
  EXPECT_EQ(gone.ask("one", 10), std::nullopt);
}

TEST(ChildProgram, DoesNotWaitForEver) {
  ChildProgram silent({"sleep", "600"});
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(silent.ask("one", 0.2), std::nullopt);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(ChildProgram, ProgramsThatAreNotThereAreAnError) {
  EXPECT_THROW(ChildProgram({"no-such-program-anywhere"}), FileError);
}

}  // namespace
}  // namespace heddle
