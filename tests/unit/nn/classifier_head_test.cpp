// The classifier's head with every pooling: taps, weights, padding, order.
#include <array>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/nn/pooling.hpp"
#include "tests/support/ops/op_cases.hpp"
#include "tests/support/ops/pool_rows.hpp"
#include "tests/support/tap_contract.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

constexpr std::array kKinds{PoolingKind::mean,      PoolingKind::multi,     PoolingKind::max,
                            PoolingKind::cls,       PoolingKind::attention, PoolingKind::noisy_or,
                            PoolingKind::token_max, PoolingKind::lse};

/// A head of this kind with its weights.
struct SmallHead {
  explicit SmallHead(PoolingKind kind, DType dtype = DType::f64)
      : head(Builder(blueprint).at("head"),
             {.d_model = 8, .hidden = 6, .classes = 2, .heads = 2, .kind = kind}),
        weights(blueprint.weights, dtype) {
    weights.initialise(3);
    perturb(weights);
    weights.pack();
  }
  Tensor logits(const Tensor& x, const std::uint8_t* valid = nullptr, Index summary = 0,
                const Edits* edits = nullptr) const {
    Pass run(weights, edits);
    return head.forward(run, Var{x}, valid, summary).value;
  }

  Blueprint blueprint;
  ClassifierHead head;
  Weights weights;
};

class EveryPooling : public ::testing::TestWithParam<PoolingKind> {};

TEST_P(EveryPooling, KeepsThePromiseOfItsTaps) {
  const SmallHead small(GetParam(), DType::f32);
  const Tensor x = random_tensor({3, 4, 8}, "x", 2, DType::f32);
  const auto pass = [&](const Edits* edits) { return small.logits(x, nullptr, 1, edits); };
  EXPECT_EQ(broken_taps(small.blueprint.taps, pass), std::vector<std::string>{});
}

TEST_P(EveryPooling, TrainsEveryWeight) {
  const SmallHead small(GetParam());
  Tape tape;
  const Tensor gradient = Tensor::zeros(small.weights.flat().shape(), DType::f64);
  Pass run(small.weights);
  run.differentiate(tape, gradient);
  tape.backward(
      reduced(small.head.forward(run, Var{random_tensor({3, 4, 8}, "x", 2)}, nullptr, kLastToken)));
  for (const WeightSpec& spec : small.blueprint.weights.specs())
    EXPECT_GT(largest(gradient.window(spec.offset, spec.shape)), 0) << spec.path;
}

/// Padding behind the tokens, in front of them or between.
TEST_P(EveryPooling, PaddingChangesNothing) {
  const SmallHead small(GetParam());
  const Tensor tokens = random_tensor({1, 3, 8}, "tokens", 2);
  const Tensor alone = small.logits(tokens, nullptr, kLastToken);
  EXPECT_EQ(alone.shape(), (Shape{1, 2}));
  for (const std::vector<std::uint8_t>& valid :
       {std::vector<std::uint8_t>{1, 1, 1, 0, 0}, {0, 0, 1, 1, 1}, {1, 0, 1, 0, 1}}) {
    Tensor padded = random_tensor({1, 5, 8}, "padding", 100);
    for (Index t = 0, token = 0; t < 5; ++t)
      if (valid[to_size(t)] != 0)
        std::copy_n(tokens.data<double>() + 8 * token++, 8, padded.write<double>() + 8 * t);
    EXPECT_LE(largest_difference(small.logits(padded, valid.data(), kLastToken), alone),
              64 * kUnit64 * std::max(1.0, largest(alone)));
  }
}

TEST_P(EveryPooling, IgnoresOrderIfItSaysSo) {
  const SmallHead small(GetParam());
  Tensor x = random_tensor({2, 5, 8}, "x", 2), turned = turned_round(x);
  const Index summary = 2;  // the middle stays where it is
  const Tensor a = small.logits(x, nullptr, summary), b = small.logits(turned, nullptr, summary);
  const double difference = largest_difference(a, b);
  if (symmetric(GetParam()))
    EXPECT_LE(difference, 64 * kUnit64 * std::max(1.0, largest(a)));
  else
    EXPECT_GT(difference, 1e-3);
  EXPECT_NE(symmetric(GetParam()), reads_order(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryPooling, ::testing::ValuesIn(kKinds));

TEST(ClassifierHead, NamesItsPoints) {
  const auto has = [](PoolingKind kind, const char* name) {
    const SmallHead small(kind);
    for (const TapPoint& point : small.blueprint.taps.points())
      if (point.path == name) return point.axes.size();
    return std::size_t{0};
  };
  EXPECT_EQ(has(PoolingKind::mean, "head.pooled"), 2U);
  EXPECT_EQ(has(PoolingKind::mean, "head.hidden"), 2U);
  EXPECT_EQ(has(PoolingKind::mean, "head.violation"), 0U);
  EXPECT_EQ(has(PoolingKind::noisy_or, "head.pooled"), 0U);
  EXPECT_EQ(has(PoolingKind::noisy_or, "head.hidden"), 3U);
  EXPECT_EQ(has(PoolingKind::noisy_or, "head.violation"), 2U);
  EXPECT_EQ(has(PoolingKind::attention, "head.pattern"), 3U);
}

TEST(ClassifierHead, StartsQuietByToken) {
  Blueprint blueprint;
  const ClassifierHead head(Builder(blueprint).at("head"),
                            {.d_model = 4, .kind = PoolingKind::noisy_or});
  Weights weights(blueprint.weights, DType::f64);
  weights.initialise(1);
  Pass run(weights);
  const Var silent{Tensor::zeros({1, 10, 4}, DType::f64)};
  const auto y = numbers_of(head.forward(run, silent, nullptr, 0).value);
  EXPECT_NEAR(y[1], -10 * std::log1p(std::exp(-3.0)), 1e-12);  // ten tokens at −3
}

TEST(ClassifierHead, ErrorsSayWhat) {
  Blueprint blueprint;
  const Builder at(blueprint);
  EXPECT_EQ(message_of<UsageError>([&] {
              ClassifierHead(at, {.d_model = 8, .classes = 3, .kind = PoolingKind::lse});
            }),
            "classifier head: verdicts by token have 2 classes, got 3");
  EXPECT_EQ(message_of<UsageError>([&] {
              ClassifierHead(at, {.d_model = 8, .heads = 3, .kind = PoolingKind::attention});
            }),
            "classifier head: 3 heads cannot share a width of 8");
}

}  // namespace
}  // namespace heddle::testing
