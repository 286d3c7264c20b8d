// How much memory the system offers, from the files in which it says so.
#include "heddle/base/memory/offered.hpp"

#include <fstream>
#include <limits>

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

constexpr double kMega = 1 << 20U;

/// A system of its own.
class MemoryOffer : public ::testing::Test {
 protected:
  void put(const std::string& path, std::string_view text) const {
    make_folder((folder_ / path).substr(0, (folder_ / path).rfind('/')));
    write_file(folder_ / path, text);
  }
  double offered() const { return memory_offered(folder_.path() + "/") / kMega; }

  void SetUp() override {
    put("proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\nSwapFree: 1048576 kB\n");
  }

 private:
  TempFolder folder_;
};

TEST_F(MemoryOffer, IsWhatTheMachineHasFree) {
  EXPECT_EQ(offered(), 5120);
}

TEST_F(MemoryOffer, IsTheLeastOfAGroupAndThoseAroundIt) {
  put("proc/self/cgroup", "0::/box/inner\n");
  put("sys/fs/cgroup/box/inner/memory.max", "max\n");
  EXPECT_EQ(offered(), 5120);
  put("sys/fs/cgroup/box/memory.max", "268435456\n");
  EXPECT_EQ(offered(), 256);
  put("sys/fs/cgroup/memory.max", "134217728\n");
  EXPECT_EQ(offered(), 128);
}

TEST_F(MemoryOffer, KnowsTheOlderGroupsToo) {
  put("proc/self/cgroup", "12:cpu:/\n7:memory,hugetlb:/box\n");
  put("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "67108864\n");
  EXPECT_EQ(offered(), 64);
}

TEST(MemoryCheck, SaysBothNumbers) {
  EXPECT_EQ(format_bytes(7), "7 bytes");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(format_bytes(3.25 * 1024 * kMega), "3.2 GiB");
  EXPECT_GT(memory_offered(), kMega);
  EXPECT_NO_THROW(check_memory(kMega, "this"));
  const std::string said = message_of<FileError>(
      [] { check_memory<FileError>(1e6 * kMega * kMega, "a million tebibytes"); });
  EXPECT_TRUE(said.starts_with("a million tebibytes needs 976.6 PiB of memory, and ")) << said;
  EXPECT_TRUE(said.ends_with(" are to be had")) << said;
}

}  // namespace
}  // namespace heddle
