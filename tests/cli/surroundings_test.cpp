// What stands around a call changes nothing: threads that cannot start, locale, time zone,
// terminal, output that cannot be written, file calls that fail.
#include <array>
#include <cstdlib>
#include <map>

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>

#include "tests/cli/program.hpp"
#include "tests/support/holds.hpp"

namespace heddle {
namespace {

using Words = std::vector<std::string>;

using Variables = std::map<std::string, std::string>;

/// Sets variables of the environment, and puts back what was there.
class Surroundings {
 public:
  explicit Surroundings(const Variables& variables) {
    for (const auto& [name, value] : variables) {
      const char* before = std::getenv(name.c_str());
      before_.emplace(name, before == nullptr ? "" : before);
      ::setenv(name.c_str(), value.c_str(), 1);
    }
  }
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  ~Surroundings() {
    for (const auto& [name, value] : before_)
      value.empty() ? ::unsetenv(name.c_str()) : ::setenv(name.c_str(), value.c_str(), 1);
  }

 private:
  Variables before_;
};

TEST(CliSurroundings, WhereNoThreadStartsTheBitsAreTheSameAndALineSaysSo) {
  const TempFolder folder;
  ASSERT_EQ(heddle_call(tiny_training(folder / "many", {"--threads", "16"})).code, 0);
  const Outcome none =
      heddle_call(tiny_training(folder / "none", {"--threads", "16"}), {.no_threads = true});
  ASSERT_EQ(none.code, 0) << none.err;
  if (!holds(none.err, "threads could be started")) GTEST_SKIP() << "this system filters no calls";
  EXPECT_TRUE(holds(none.err,
                    "heddle: 1 of 16 threads could be started here; the results are the "
                    "same\n"))
      << none.err;
  EXPECT_TRUE(weights_of(folder / "none") == weights_of(folder / "many"));
}

TEST(CliSurroundings, AnyNumberOfThreadsGivesTheSameBits) {
  const TempFolder folder;
  for (const char* threads : {"1", "2", "3", "7", "16"}) {
    ASSERT_EQ(heddle_call(tiny_training(folder / threads, {"--threads", threads})).code, 0);
    EXPECT_TRUE(weights_of(folder / threads) == weights_of(folder / "1")) << threads;
  }
}

TEST(CliSurroundings, LocaleTimeZoneAndTerminalNameChangeNoWord) {
  const TempFolder folder;
  const std::string run = folder / "run";
  ASSERT_EQ(heddle_call(tiny_training(run)).code, 0);
  const std::vector<Words> calls{
      {"eval", run, "--census"}, {"ask", run, "3+4", "--json"}, {"taps", run}, {"config"}};
  for (const Words& words : calls) {
    const Outcome usual = heddle_call(words);
    for (const auto& around : std::vector<Variables>{
             {{"LC_ALL", "de_DE.UTF-8"}, {"LANG", "tr_TR.UTF-8"}, {"LC_NUMERIC", "fr_FR"}},
             {{"TZ", "Pacific/Kiritimati"}},
             {{"TERM", "dumb"}, {"COLUMNS", "20"}, {"LINES", "2"}},
             {{"TERM", "no-such-terminal"}, {"NO_COLOR", "1"}}}) {
      const Surroundings set(around);
      const Outcome other = heddle_call(words);
      EXPECT_EQ(other.code, usual.code) << words[0];
      EXPECT_TRUE(other.out == usual.out) << words[0] << " with " << around.begin()->first;
    }
  }
}

/// On a terminal of 20 columns the bar keeps to its line, and the weights are the same.
TEST(CliSurroundings, ANarrowTerminalIsDrawnOnWithinItsWidth) {
  const TempFolder folder;
  ASSERT_EQ(heddle_call(tiny_training(folder / "usual")).code, 0);
  int terminal = -1, inner = -1;
  const winsize size{.ws_row = 5, .ws_col = 20, .ws_xpixel = 0, .ws_ypixel = 0};
  ASSERT_EQ(::openpty(&terminal, &inner, nullptr, nullptr, &size), 0);
  ::fcntl(terminal, F_SETFL, O_NONBLOCK);
  Program program(tiny_training(folder / "narrow", {"steps=400"}), {.err_descriptor = inner});
  std::string drawn;
  const auto read_all = [&] {
    std::array<char, 4096> piece{};
    for (;;) {
      const ssize_t got = ::read(terminal, piece.data(), piece.size());
      if (got <= 0) return;
      drawn.append(piece.data(), static_cast<std::size_t>(got));
    }
  };
  program.wait_until([&] {
    read_all();
    return false;
  });
  EXPECT_EQ(program.wait().code, 0);
  read_all();
  ::close(terminal);
  ::close(inner);
  int bars = 0;
  constexpr std::string_view kErase = "\r\x1b[K";
  for (std::size_t at = drawn.find(kErase); at != std::string::npos;
       at = drawn.find(kErase, at + 1)) {
    const std::size_t from = at + kErase.size();
    const std::size_t end = drawn.find_first_of("\r\n", from);
    const std::string bar = drawn.substr(from, end - from);
    if (!holds(bar, " %") || drawn.substr(end, 2) == "\r\n") continue;  // a line may wrap
    ++bars;
    EXPECT_LT(bar.size(), 20U) << bar;
  }
  EXPECT_GT(bars, 0) << drawn;
}

TEST(CliSurroundings, OutputThatCannotBeWrittenIsOneLineAfterAllElse) {
  const TempFolder folder;
  const std::string run = folder / "run";
  ASSERT_EQ(heddle_call(tiny_training(run)).code, 0);
  const std::vector<Words> calls{{"eval", run}, {"ask", run, "3+4"},        {"taps", run},
                                 {"--help"},    {"ablate", run, "--quiet"}, {"config", "--json"}};
  for (const Words& words : calls)
    for (const CallOptions& out :
         {CallOptions{.out_path = "/dev/full"}, CallOptions{.out_closed = true}}) {
      const Outcome outcome = heddle_call(words, out);
      EXPECT_EQ(outcome.code, 1) << words[0];
      EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << words[0] << outcome.err;
      EXPECT_TRUE(holds(outcome.err, "heddle: cannot write to standard output: ")) << outcome.err;
    }
}

TEST(CliSurroundings, AFileCallThatFailsIsOneLineAndTheNextCallGoesOn) {
  const TempFolder folder;
  const std::string run = folder / "run", whole = folder / "whole";
  ASSERT_EQ(heddle_call(tiny_training(whole)).code, 0);
  for (const char* fault : {"fail:ENOSPC@60+", "fail:EIO@80", "crash-before@90"}) {
    const Surroundings set(Variables{{"HEDDLE_FAULTS", fault}});
    const Outcome outcome = heddle_call(tiny_training(run, {"--quiet"}));
    EXPECT_EQ(outcome.code, fault[0] == 'c' ? 99 : 1) << fault << outcome.err;
    EXPECT_TRUE(outcome.code != 1 || outcome.one_line()) << outcome.err;
  }
  EXPECT_EQ(heddle_call(tiny_training(run)).code, 0);
  EXPECT_TRUE(weights_of(run) == weights_of(whole));
  const Surroundings set(Variables{{"HEDDLE_FAULTS", "often"}});
  const Outcome refused = heddle_call({"config"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(refused.one_line() && holds(refused.err, "accepted are")) << refused.err;
}

}  // namespace
}  // namespace heddle
