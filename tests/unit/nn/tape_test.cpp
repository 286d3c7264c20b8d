// The tape: what depends on what, nothing kept longer than needed, errors for misuse.
#include "heddle/autograd/tape.hpp"

#include <gtest/gtest.h>

#include "heddle/ops/arithmetic.hpp"
#include "heddle/ops/linear.hpp"
#include "tests/support/ops/op_cases.hpp"
#include "tests/support/tensors.hpp"

namespace heddle::testing {
namespace {

TEST(Tape, ConstantsInConstantOut) {
  const Var a{random_tensor({2}, "a")}, b{random_tensor({2}, "b")};
  EXPECT_EQ(add(a, b).tape, nullptr);
}

TEST(Tape, WhatTheLossDoesNotNeedGetsNoGradient) {
  Tape tape;
  const Var used = tape.leaf(random_tensor({2}, "a")), idle = tape.leaf(random_tensor({2}, "b"));
  const Tensor window = Tensor::zeros({2}, DType::f64);
  const Var weight = tape.weight(random_tensor({2}, "c"), window);
  add(idle, weight);  // computed, but nothing comes of it
  tape.backward(reduced(used));
  EXPECT_FALSE(tape.gradient(used).empty());
  EXPECT_TRUE(tape.gradient(idle).empty());
  EXPECT_FALSE(tape.touched(weight));
  EXPECT_EQ(largest(window), 0);
}

TEST(Tape, TheLossIsOneNumberOfThisTape) {
  Tape tape, other;
  const Var x = tape.leaf(random_tensor({2}, "a"));
  EXPECT_THROW(tape.backward(x), Error);
  EXPECT_THROW(other.backward(reduced(x)), Error);
  EXPECT_THROW(tape.backward(Var{Tensor::zeros({1}, DType::f64)}), Error);
}

TEST(Tape, BackwardLetsGoOfWhatItKept) {
  Tape tape;
  Tensor x = random_tensor({3, 4}, "x");
  {
    const Var y = linear(tape.leaf(random_tensor({2, 3}, "a")), {tape.leaf(x)});
    const Var loss = reduced(y);
    EXPECT_FALSE(x.unique());
    tape.backward(loss);
  }
  tape.clear();
  EXPECT_TRUE(x.unique());
}

TEST(Tape, ClearLetsGoOfAPassThatWentNoFurther) {
  Tape tape;
  const Tensor x = random_tensor({3, 4}, "x");
  linear(tape.leaf(random_tensor({2, 3}, "a")), {tape.leaf(x)});
  EXPECT_FALSE(x.unique());
  tape.clear();
  EXPECT_TRUE(x.unique());
}

TEST(Tape, ServesAgainAfterClear) {
  Tape tape;
  const Tensor x = random_tensor({5}, "x");
  std::vector<double> first;
  for (int round = 0; round < 3; ++round) {
    tape.clear();
    const Var leaf = tape.leaf(x);
    tape.backward(reduced(add(leaf, leaf)));
    if (round == 0) first = numbers_of(tape.gradient(leaf));
    EXPECT_EQ(numbers_of(tape.gradient(leaf)), first);
  }
}

/// More closures than one chunk of its buffer holds.
TEST(Tape, IsAsLongAsItMustBe) {
  Tape tape;
  const Var leaf = tape.leaf(random_tensor({2}, "x"));
  Var sum = leaf;
  for (int i = 0; i < 3000; ++i) sum = scale_slices(add(sum, leaf), 0, {1.0, 1.0});
  tape.backward(weighted_sum(sum, [] {
    Tensor ones = Tensor::zeros({2}, DType::f64);
    ones.write<double>()[0] = ones.write<double>()[1] = 1;
    return ones;
  }()));
  EXPECT_EQ(numbers_of(tape.gradient(leaf)), (std::vector<double>{3001, 3001}));
}

/// Gradients that two inputs share must not be changed by what one of them gathers later.
TEST(Tape, SharedGradientsAreNotOverwritten) {
  Tape tape;
  const Var a = tape.leaf(random_tensor({3}, "a")), b = tape.leaf(random_tensor({3}, "b"));
  const Var first = add(a, a);  // gathers after the sum below has given both the same tensor
  tape.backward(reduced(add(add(first, b), a)));
  const std::vector<double> of_a = numbers_of(tape.gradient(a)),
                            of_b = numbers_of(tape.gradient(b));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(of_a[i], 3 * of_b[i]);
}

}  // namespace
}  // namespace heddle::testing
