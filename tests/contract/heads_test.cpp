// An edit at a head's address changes that head and no other.
#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/ops/arithmetic.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

/// Slice `head` along the head axis, as numbers.
std::vector<double> slice(const Tensor& x, int axis, Index head) {
  std::vector<double> keep(to_size(x.dim(axis)), 0.0);
  keep[to_size(head)] = 1;
  return numbers_of(scale_slices(Var{x}, axis, keep).value);
}

void expect_only(const TinyModel& tiny, const HeadSlice& head) {
  const TapPoint& point = tiny.model().taps()[head.tap];
  const int axis = TapSite{point}.axis(Axis::head);
  Tensor before, after;
  Edits watching = tiny.edits(), silencing = tiny.edits();
  watching.on(point.path, storing(before));
  silencing.on(head.name, zeroing()).on(point.path, storing(after));
  const Tensor base = tiny.logits(&watching);
  EXPECT_GT(largest_difference(tiny.logits(&silencing), base), 0) << head.name;
  for (Index h = 0; h < before.dim(axis); ++h) {
    if (h != head.head) {
      EXPECT_EQ(slice(after, axis, h), slice(before, axis, h)) << head.name;
      continue;
    }
    for (const double v : slice(after, axis, h)) ASSERT_EQ(v, 0) << head.name;
  }
}

TEST(HeadAddress, ChangesThatHeadAlone) {
  const TinyModel tiny(tiny_config());
  const auto heads = find_heads(tiny.model().taps(), "**.head.**");
  EXPECT_EQ(heads.size(), 3U * 2U * 7U);  // attentions, heads, z q k v scores pattern result
  for (const HeadSlice& head : heads) expect_only(tiny, head);
}

TEST(HeadAddress, MeansZ) {
  const TinyModel tiny(tiny_config());
  const auto found = find_heads(tiny.model().taps(), "encoder.0.self.head.1");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(tiny.model().taps()[found[0].tap].path, "encoder.0.self.z");
  EXPECT_EQ(found[0].head, 1);
}

/// All heads silenced one by one is the module silenced at once.
TEST(HeadAddress, AllHeadsAreTheModule) {
  const TinyModel tiny(tiny_config());
  Edits heads = tiny.edits(), whole = tiny.edits();
  heads.on("decoder.0.cross.head.0", zeroing()).on("decoder.0.cross.head.1", zeroing());
  whole.on("decoder.0.cross.z", zeroing());
  EXPECT_TRUE(same_bits(tiny.logits(&heads), tiny.logits(&whole)));
}

}  // namespace
}  // namespace heddle::testing
