// The choice of an instruction set.
#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/kernels/gemm.hpp"
#include "heddle/kernels/isa.hpp"

namespace heddle::kernels {
namespace {

TEST(Isa, TheFastestLevelIsInUseAndEachCanBePinned) {
  const std::vector<std::string> levels = isa_levels();
  ASSERT_FALSE(levels.empty());
  EXPECT_EQ(levels.front(), "baseline");
  for (const std::string& level : levels) {
    pin_isa(level);
    EXPECT_EQ(isa(), level);
    EXPECT_GE(panel_size(3, 5), 15);
  }
  EXPECT_EQ(isa(), levels.back());
}

TEST(Isa, AnUnknownLevelIsRefusedByName) {
  const std::string before(isa());
  try {
    pin_isa("mmx");
    FAIL() << "pinned mmx";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("mmx"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("baseline"), std::string::npos);
  }
  EXPECT_EQ(isa(), before);
}

}  // namespace
}  // namespace heddle::kernels
