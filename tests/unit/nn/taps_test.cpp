// Tap names: patterns, head addresses, near names, order of edits.
#include "heddle/nn/taps.hpp"

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/ops/arithmetic.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

TapTable table() {
  TapTable taps;
  const std::vector<Axis> heads{Axis::batch, Axis::position, Axis::head, Axis::feature};
  for (const char* name : {"encoder.0.self.z", "encoder.0.self.q", "encoder.1.self.z"})
    taps.add({name, heads, {0, 0, 2, 3}, false});
  taps.add({"encoder.0.self.w_o", {Axis::row, Axis::column}, {6, 4}, true});
  taps.add_heads({"encoder.0.self", 2});
  return taps;
}

Edit times(double factor) {
  return [factor](const TapSite&, const Var& x) {
    return scale_slices(x, 0, std::vector<double>(to_size(x.value.dim(0)), factor));
  };
}

TEST(Taps, PatternsFindTheirPoints) {
  const TapTable taps = table();
  EXPECT_EQ(taps.find("encoder.0.self.z"), (std::vector<TapId>{0}));
  EXPECT_EQ(taps.find("encoder.*.self.z"), (std::vector<TapId>{0, 2}));
  EXPECT_EQ(taps.find("**").size(), 4U);
  EXPECT_THROW(taps.find("*.z"), TapError);
}

TEST(Taps, ANameIsGivenOnce) {
  TapTable taps = table();
  EXPECT_THROW(taps.add({"encoder.0.self.z", {}, {}, false}), TapError);
}

TEST(Taps, MisspeltNamesAreAnswered) {
  const TapTable taps = table();
  const std::string said = message_of<TapError>([&] { taps.find("encoder.0.slef.z"); });
  EXPECT_NE(said.find("encoder.0.self.z"), std::string::npos) << said;
  EXPECT_NE(said.find("'encoder.0.slef.z'"), std::string::npos) << said;
}

TEST(Taps, HeadsAreSlices) {
  const TapTable taps = table();
  const auto found = find_heads(taps, "encoder.0.self.head.*");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].name, "encoder.0.self.head.1");
  EXPECT_EQ(found[1].tap, 0);
  EXPECT_EQ(find_heads(taps, "encoder.0.self.head.1.q").at(0).tap, 1);
  EXPECT_TRUE(find_heads(taps, "encoder.1.self.head.0").empty());
  EXPECT_TRUE(find_heads(taps, "**").empty());
}

TEST(Taps, EditsApplyInTheOrderTheyWereHung) {
  const TapTable taps = table();
  Edits edits(taps);
  EXPECT_FALSE(edits.watches(0));
  edits.on("encoder.0.self.z", times(2)).on("encoder.0.self.head.1", times(0));
  EXPECT_TRUE(edits.watches(0));
  EXPECT_FALSE(edits.watches(1));
  const Tensor x = random_tensor({1, 1, 2, 3}, "x");
  const auto before = numbers_of(x), after = numbers_of(edits.apply(0, 0, Var{x}).value);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(after[i], i < 3 ? 2 * before[i] : 0);
}

TEST(Taps, SitesKnowTheirAxes) {
  const TapTable taps = table();
  EXPECT_EQ((TapSite{taps[0]}.axis(Axis::head)), 2);
  const std::string said =
      message_of<TapError>([&] { (void)TapSite{taps[3]}.axis(Axis::position); });
  EXPECT_EQ(said, "tap 'encoder.0.self.w_o' has no axis 'position'");
}

}  // namespace
}  // namespace heddle::testing
