// Ctrl-C raises a flag, and the second one ends the program.
#include "heddle/base/interrupt.hpp"

#include <csignal>

#include <gtest/gtest.h>
#include <unistd.h>

namespace heddle {
namespace {

TEST(InterruptDeathTest, FirstRaisesTheFlagSecondEnds) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const auto once = [signal] {
      install_interrupt_handler();
      if (interrupted()) _exit(1);
      (void)std::raise(signal);
      if (!interrupted()) _exit(2);
      clear_interrupt();
      (void)std::raise(signal);
      _exit(interrupted() ? 42 : 3);
    };
    EXPECT_EXIT(once(), ::testing::ExitedWithCode(42), "");
    const auto twice = [signal] {
      install_interrupt_handler();
      (void)std::raise(signal);
      (void)std::raise(signal);
      _exit(4);
    };
    EXPECT_EXIT(twice(), ::testing::ExitedWithCode(130), "");
  }
}

/// Only who does not stop within a second says so.
TEST(InterruptDeathTest, ASlowStopIsAnswered) {
  const auto slow = [] {
    install_interrupt_handler("one moment\n");
    (void)std::raise(SIGINT);
    pause_for(20000);  // the words' own signal ends it
    _exit(interrupted() ? 42 : 3);
  };
  EXPECT_EXIT(slow(), ::testing::ExitedWithCode(42), "^one moment\n$");
  const auto quick = [] {
    install_interrupt_handler("one moment\n");
    (void)std::raise(SIGINT);
    _exit(42);
  };
  EXPECT_EXIT(quick(), ::testing::ExitedWithCode(42), "^$");
}

}  // namespace
}  // namespace heddle
