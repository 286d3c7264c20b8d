// Where threads cannot be started a team is smaller, says so once, and does all of its work.
#include <atomic>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle/base/index.hpp"
#include "heddle/base/parallel.hpp"
#include "tests/unit/base/thread_limit.hpp"

namespace heddle {
namespace {

std::atomic<int> told{0}, told_asked{0}, told_started{0};  // NOLINT: a callback without a state

constexpr int kNoFilter = 77;

/// What went wrong in a process without threads: 0 if nothing did.
int work_without_threads() {
  if (!forbid_threads()) return kNoFilter;
  on_missing_threads([](int asked, int started) {
    ++told;
    told_asked = asked;
    told_started = started;
  });
  for (const int size : {4, 64}) {
    Team team(size);
    std::vector<int> runs(9, 0);
    team.run(9, [&](int piece) { ++runs[to_size(piece)]; });
    if (team.size() != 1) return 1;
    if (runs != std::vector<int>(9, 1)) return 2;
  }
  return told == 1 && told_asked == 4 && told_started == 1 ? 0 : 3;
}

TEST(FewThreads, ATeamThatGetsNoneIsTheCallerAndSaysSoOnce) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work_without_threads());
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  if (WEXITSTATUS(status) == kNoFilter) GTEST_SKIP() << "this system filters no calls";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace heddle
