// Poolings of features against what they promise: padding changes nothing, neither does order
// where they are symmetric, ties go to the first, and a mean dilutes.
#include "heddle/ops/pooling/pooling.hpp"

#include <array>

#include <gtest/gtest.h>

#include "heddle/autograd/gradcheck.hpp"
#include "tests/support/ops/op_cases.hpp"
#include "tests/support/ops/pool_rows.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

Var first_token(const Var& x, const std::uint8_t* valid) {
  return pool_pick(x, valid, 0);
}
Var last_token(const Var& x, const std::uint8_t* valid) {
  return pool_pick(x, valid, kLastToken);
}

/// The gradient of x in Σ c∘pool(x).
Tensor gradient_of(const PoolOp& pool, const Tensor& x) {
  const std::vector<Tensor> leaves{x};
  return tape_gradients(leaves,
                        [&](std::span<const Var> v) { return reduced(pool(v[0], nullptr)); })[0];
}

TEST(Pooling, PaddingChangesNothing) {
  for (const PoolOp pool : {pool_mean, pool_max, pool_multi, first_token, last_token})
    expect_padding_ignored(pool, {1, 5, 3});
}

TEST(Pooling, SymmetricOnesIgnoreOrder) {
  const Tensor x = random_tensor({1, 9, 4}, "x"), turned = turned_round(x);
  EXPECT_TRUE(same_bits(pool_max(Var{x}, nullptr).value, pool_max(Var{turned}, nullptr).value));
  // A sum of nine numbers, each below 1, in another order.
  EXPECT_LE(
      largest_difference(pool_mean(Var{x}, nullptr).value, pool_mean(Var{turned}, nullptr).value),
      2 * 9 * kUnit64);
  EXPECT_GT(
      largest_difference(pool_multi(Var{x}, nullptr).value, pool_multi(Var{turned}, nullptr).value),
      0.1);
}

/// One violation among L tokens: 1/L of it is left in the mean, all of it in the maximum.
TEST(Pooling, AMeanDilutes) {
  for (const Index length : {16, 256, 4096}) {
    Tensor x = Tensor::zeros({1, length, 1}, DType::f32);
    x.write<float>()[length / 3] = 1;
    EXPECT_EQ(*pool_mean(Var{x}, nullptr).value.data<float>(), 1.0F / static_cast<float>(length));
    EXPECT_EQ(*pool_max(Var{x}, nullptr).value.data<float>(), 1);
  }
}

TEST(Pooling, TheFirstOfEqualsGetsTheGradient) {
  const Tensor x = tensor_of({1, 4, 1}, {2, 5, 5, 1});
  const std::vector<double> most = numbers_of(gradient_of(pool_max, x));
  EXPECT_NE(most[1], 0);
  EXPECT_EQ((std::vector<double>{most[0], most[2], most[3]}), (std::vector<double>{0, 0, 0}));
}

TEST(Pooling, FiveSummariesByHand) {
  const Tensor x = tensor_of({1, 5, 1}, {3, 4, 1, 9, 6});
  EXPECT_EQ(numbers_of(pool_multi(Var{x}, nullptr).value),
            (std::vector<double>{1, -3, 0.75, 3, 6}));
  // −3 stands twice among the steps: between tokens 1 and 2, and between 3 and 4.
  const Tensor c = random_tensor({1, 5}, "reduce");
  const std::vector<double> by = numbers_of(c), found = numbers_of(gradient_of(pool_multi, x));
  EXPECT_DOUBLE_EQ(found[0], by[3] - by[2] / 4);
  EXPECT_DOUBLE_EQ(found[1], -by[1]);
  EXPECT_DOUBLE_EQ(found[2], by[0] + by[1]);
  EXPECT_DOUBLE_EQ(found[3], 0);
  EXPECT_DOUBLE_EQ(found[4], by[4] + by[2] / 4);
}

TEST(Pooling, ASingleTokenHasNoSteps) {
  const Tensor x = tensor_of({1, 2, 1}, {9, 7});
  constexpr std::array<std::uint8_t, 2> kSecond{0, 1};
  EXPECT_EQ(numbers_of(pool_multi(Var{x}, kSecond.data()).value),
            (std::vector<double>{7, 0, 0, 7, 7}));
}

TEST(Pooling, NaNDoesNotVanish) {
  const Tensor x = tensor_of({1, 3, 1}, {1, std::nan(""), 2});
  EXPECT_TRUE(std::isnan(numbers_of(pool_max(Var{x}, nullptr).value)[0]));
  EXPECT_TRUE(std::isnan(numbers_of(pool_multi(Var{x}, nullptr).value)[0]));
}

TEST(Pooling, ErrorsSayWhat) {
  const Var x{random_tensor({2, 2, 3}, "x")};
  constexpr std::array<std::uint8_t, 4> kEmpty{1, 1, 0, 0}, kGap{1, 0, 1, 1};
  EXPECT_EQ(message_of<ShapeError>([&] { pool_mean(x, kEmpty.data()); }),
            "mean pooling: sequence 1 of 2 is all padding");
  EXPECT_EQ(message_of<ShapeError>([&] { pool_pick(x, kGap.data(), 1); }),
            "summary token: position 1 of sequence 0 is padding");
  EXPECT_EQ(message_of<ShapeError>([&] { pool_pick(x, nullptr, 2); }),
            "summary token: position 2 of [2, 2, 3]");
  EXPECT_EQ(message_of<ShapeError>([&] { pool_max(Var{random_tensor({2, 3}, "x")}, nullptr); }),
            "max pooling: expected 3 axes, batch and position first, got [2, 3]");
}

}  // namespace
}  // namespace heddle::testing
