// Regions: what is cut from them stays apart, and the memory goes back with its last holder.
#include "heddle/base/memory/region.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace heddle {
namespace {

constexpr std::size_t kLargePage = 2UL << 20;

/// Whether the page that holds this address belongs to the process.
bool is_mapped(void* at) {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  void* page = static_cast<std::byte*>(at) - address % 4096;
  return msync(page, 1, MS_ASYNC) == 0 || errno != ENOMEM;
}

TEST(Region, PiecesStandOneAfterAnotherOnCacheLines) {
  Region* region = Region::make(1000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(region) % kLargePage, 0U);
  std::byte* last = nullptr;
  for (const std::size_t bytes : {1UL, 64UL, 65UL, 100'000UL}) {
    auto* piece = static_cast<std::byte*>(region->cut(bytes));
    ASSERT_NE(piece, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(piece) % 64, 0U);
    EXPECT_GT(piece, last);
    std::memset(piece, 1, bytes);
    last = piece + bytes - 1;
    region->release();
  }
  region->release();
}

TEST(Region, SaysWhenItIsUsedUp) {
  Region* region = Region::make(1);
  std::vector<void*> pieces;
  while (void* piece = region->cut(kLargePage)) pieces.push_back(piece);
  EXPECT_GE(pieces.size(), 10U);
  EXPECT_EQ(region->cut(kLargePage), nullptr);
  EXPECT_EQ(region->cut(std::numeric_limits<std::size_t>::max()), nullptr);
  EXPECT_NE(region->cut(64), nullptr);  // a smaller one still fits
  std::memset(pieces.back(), 1, kLargePage);
  for (std::size_t i = 0; i < pieces.size() + 2; ++i) region->release();
}

TEST(Region, HasRoomForWhatWasAskedFor) {
  const std::size_t large = 100UL << 20;
  Region* region = Region::make(large);
  auto* piece = static_cast<std::byte*>(region->cut(large));
  ASSERT_NE(piece, nullptr);
  piece[large - 1] = std::byte{1};
  region->release();
  EXPECT_EQ(piece[large - 1], std::byte{1}) << "a piece holds its region";
  region->release();
  EXPECT_FALSE(is_mapped(piece));
}

TEST(Region, GoesWithItsLastHolderWhoeverThatIs) {
  Region* region = Region::make(1);
  void* first = region->cut(64);
  void* second = region->cut(64);
  std::thread([&] { region->release(); }).join();
  std::thread([&] { region->release(); }).join();
  EXPECT_TRUE(is_mapped(first));
  region->release();
  EXPECT_FALSE(is_mapped(second));
}

TEST(Region, MoreThanThereIsIsBadAlloc) {
  EXPECT_THROW(Region::make(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
  EXPECT_THROW(Region::make(std::numeric_limits<std::size_t>::max() / 4), std::bad_alloc);
}

}  // namespace
}  // namespace heddle
