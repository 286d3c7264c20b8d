// The team: every piece once, errors at the caller, any size, asleep and woken, and no nesting.
// These cases run under the thread sanitizer too.
#include "heddle/base/parallel.hpp"

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"

namespace heddle {
namespace {

TEST(Parallel, EveryPieceRunsOnce) {
  for (int size = 1; size <= 8; ++size) {
    Team team(size);
    EXPECT_EQ(team.size(), size);
    for (const int pieces : {0, 1, 2, 7, 8, 9, 100}) {
      std::vector<std::atomic<int>> runs(to_size(pieces));
      team.run(pieces, [&](int piece) { ++runs[to_size(piece)]; });
      for (const auto& count : runs) EXPECT_EQ(count.load(), 1);
    }
  }
}

TEST(Parallel, ATeamOfNobodyIsTheCaller) {
  Team team(0);
  EXPECT_EQ(team.size(), 1);
  std::thread::id who;
  team.run(1, [&](int) { who = std::this_thread::get_id(); });
  EXPECT_EQ(who, std::this_thread::get_id());
}

TEST(Parallel, APieceAlwaysMeetsTheSameThread) {
  Team team(3);
  std::vector<std::thread::id> first(9), again(9);
  team.run(9, [&](int i) { first[to_size(i)] = std::this_thread::get_id(); });
  team.run(9, [&](int i) { again[to_size(i)] = std::this_thread::get_id(); });
  EXPECT_EQ(first, again);
  EXPECT_EQ(first[0], std::this_thread::get_id());
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 3U);
}

/// What the pieces wrote is there when run() returns: plain memory, no atomics.
TEST(Parallel, ManyRoundsSeeEachOthersWork) {
  for (const int size : {1, 2, 3, 5, 8}) {
    Team team(size);
    std::vector<long> numbers(16, 0), next(16, 0);
    for (int round = 0; round < 500; ++round) {
      team.run(16, [&](int i) { next[to_size(i)] = numbers[to_size((i + 1) % 16)] + 1; });
      numbers.swap(next);
    }
    for (const long n : numbers) EXPECT_EQ(n, 500);
  }
}

TEST(Parallel, ErrorsReachTheCaller) {
  for (const int size : {1, 2, 4})
    for (const int bad : {0, 1, 5}) {
      Team team(size);
      std::atomic<int> done{0};
      const auto body = [&](int piece) {
        if (piece == bad) throw std::runtime_error("piece " + std::to_string(piece));
        ++done;
      };
      try {
        team.run(6, body);
        FAIL() << "no error";
      } catch (const std::runtime_error& error) {
        EXPECT_EQ(error.what(), "piece " + std::to_string(bad));
      }
      done = 0;
      team.run(5, [&](int) { ++done; });  // and the team works on
      EXPECT_EQ(done.load(), 5);
    }
}

TEST(Parallel, OfManyErrorsOneIsThrown) {
  Team team(4);
  for (int round = 0; round < 50; ++round)
    EXPECT_THROW(team.run(8, [](int) { throw std::runtime_error("all"); }), std::runtime_error);
  team.run(8, [](int) {});
}

TEST(Parallel, ParkedWorkersWake) {
  Team team(4);
  for (const int pause : {0, 1, 20, 0, 5}) {
    std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    std::atomic<int> done{0};
    team.run(8, [&](int) { ++done; });
    EXPECT_EQ(done.load(), 8);
  }
}

/// Pieces of very different length: the caller waits for the last.
TEST(Parallel, TheCallerWaitsForTheSlowest) {
  Team team(3);
  std::vector<int> done(3, 0);
  team.run(3, [&](int piece) {
    std::this_thread::sleep_for(std::chrono::milliseconds(piece * 10));
    done[to_size(piece)] = 1;
  });
  EXPECT_EQ(done, (std::vector<int>{1, 1, 1}));
}

TEST(Parallel, AnIdleTeamGoesAway) {
  for (int round = 0; round < 20; ++round) {
    Team idle(4);
    if (round % 2 == 0) idle.run(4, [](int) {});
  }
}

/// A call from inside a piece would overwrite the work of the others.
TEST(Parallel, NestedUseIsRefused) {
  for (const int size : {1, 2, 4}) {
    Team team(size);
    EXPECT_THROW(team.run(4, [&](int) { team.run(2, [](int) {}); }), Error);
    std::atomic<int> done{0};
    team.run(4, [&](int) {
      Team inner(2);  // another team is fine
      inner.run(2, [&](int) { ++done; });
    });
    EXPECT_EQ(done.load(), 8);
  }
}

TEST(Parallel, ThereIsACore) {
  EXPECT_GE(core_count(), 1);
}

}  // namespace
}  // namespace heddle
