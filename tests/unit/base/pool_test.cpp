// Memory comes back: the same requests again ask for nothing new, and every block is aligned.
#include "heddle/base/memory/pool.hpp"

#include <cstring>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Pool, RequestsThatRepeatAreServedFromTheirOwnPast) {
  const auto round = [] {
    std::vector<BlockRef> blocks;
    for (const std::size_t bytes : {1U, 256U, 257U, 1000U, 5000U, 100000U, 100000U})
      blocks.emplace_back(bytes);
  };
  // A thread of its own has a pool of its own, with nothing in it from other tests.
  std::thread([&] {
    round();
    const std::uint64_t before = fresh_blocks();
    for (int i = 0; i < 10; ++i) round();
    EXPECT_EQ(fresh_blocks(), before);
    const BlockRef one(700000), two(700000);
    EXPECT_EQ(fresh_blocks(), before + 2);
  }).join();
}

TEST(Pool, EveryBlockIsAlignedAndLargeEnough) {
  for (std::size_t bytes = 1; bytes < 5000; bytes += 37) {
    const BlockRef block(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.bytes()) % 64, 0U);
    std::memset(block.bytes(), 0xAB, bytes);  // a sanitizer sees one byte too many
  }
}

TEST(Pool, ABlockLivesAsLongAsItsLastHolder) {
  BlockRef first(100);
  EXPECT_TRUE(first.unique());
  BlockRef second = first;
  EXPECT_FALSE(first.unique());
  std::memset(first.bytes(), 7, 100);
  first = BlockRef();
  EXPECT_TRUE(second.unique());
  EXPECT_EQ(static_cast<int>(second.bytes()[99]), 7);
  const BlockRef third(100);
  EXPECT_NE(third.bytes(), second.bytes());
}

TEST(Pool, BlocksMayOutliveTheThreadThatTookThem) {
  BlockRef kept;
  std::thread([&] { kept = BlockRef(3000); }).join();
  std::memset(kept.bytes(), 1, 3000);
  const BlockRef copy = kept;
  std::thread([mine = std::move(kept)]() mutable { mine = BlockRef(); }).join();
  EXPECT_TRUE(copy.unique());
}

}  // namespace
}  // namespace heddle
