// Weights: one flat buffer, every weight from its own stream, panels that follow changes.
#include "heddle/nn/weights.hpp"

#include <gtest/gtest.h>

#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

WeightLayout layout(std::initializer_list<const char*> names) {
  WeightLayout out;
  for (const char* name : names)
    out.add({name, {3, 5}, {.mean = 1, .deviation = 0.5}, WeightRole::matrix, 0, 0});
  return out;
}

TEST(Weights, StandApartOnTheirBoundaries) {
  const WeightLayout two = layout({"a", "b"});
  EXPECT_EQ(two[0].offset, 0);
  EXPECT_EQ(two[1].offset, 16);
  EXPECT_EQ(two.flat_size(), 32);
  EXPECT_EQ(two.parameter_count(), 30);
  Weights weights(two, DType::f32);
  weights.initialise(1);
  EXPECT_EQ(weights.flat().data<float>()[15], 0);  // the gap
  EXPECT_THROW(Weights(two, Tensor::zeros({31}, DType::f32)), ShapeError);
}

TEST(Weights, StartFromTheirNamesNotTheirOrder) {
  const WeightLayout forward = layout({"a", "b"}), backward = layout({"b", "a"});
  Weights one(forward, DType::f32), two(backward, DType::f32), other(forward, DType::f32);
  one.initialise(1);
  two.initialise(1);
  other.initialise(2);
  EXPECT_TRUE(same_bits(one.value(0), two.value(1)));
  EXPECT_TRUE(same_bits(one.value(1), two.value(0)));
  EXPECT_FALSE(same_bits(one.value(0), one.value(1)));
  EXPECT_FALSE(same_bits(one.value(0), other.value(0)));
}

TEST(Weights, StartAroundTheirMean) {
  WeightLayout wide;
  wide.add({"w", {100, 100}, {.mean = 1, .deviation = 0.5}, WeightRole::matrix, 0, 0});
  Weights weights(wide, DType::f64);
  weights.initialise(4);
  double sum = 0, squares = 0;
  for (const double v : numbers_of(weights.flat())) {
    sum += v;
    squares += (v - 1) * (v - 1);
  }
  EXPECT_NEAR(sum / 1e4, 1, 5 * 0.5 / 100);             // five standard errors
  EXPECT_NEAR(squares / 1e4, 0.25, 5 * 0.25 * 0.0142);  // σ²·√(2/n)
}

/// Panels are a copy: what is computed follows the weights only after they are laid out anew.
TEST(Weights, PanelsFollowAfterRepack) {
  TinyModel tiny(tiny_config());
  const Tensor before = tiny.logits();
  perturb(tiny.weights());
  const Tensor stale = tiny.logits();
  for (int part = 0; part < 3; ++part) tiny.weights().repack(part, 3);
  const Tensor fresh = tiny.logits();
  EXPECT_GT(largest_difference(stale, fresh), 0);
  EXPECT_GT(largest_difference(before, fresh), 0);
  Weights whole(tiny.model().layout(), tiny.weights().flat());
  whole.pack();
  Pass run(whole);
  EXPECT_TRUE(same_bits(tiny.forward(run).logits.value, fresh));
}

}  // namespace
}  // namespace heddle::testing
