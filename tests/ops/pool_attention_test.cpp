// Pooling by attention: against its formula, and that one token among many is found at any length,
// and none where there is none.
#include "heddle/ops/pooling/pool_attention.hpp"

#include <gtest/gtest.h>

#include "tests/support/ops/pool_rows.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

const double kStart = 1 / std::log(12.0);

Tensor weights_of(const Tensor& scores, const Tensor& sink, const Tensor& sharpness,
                  const std::uint8_t* valid = nullptr) {
  const Var s{scores}, k{sink}, f{sharpness};
  return pool_weights({.scores = s, .sink = k, .sharpness = f, .valid = valid}).value;
}

/// A single head with sink 0 and the sharpness of the start.
std::vector<double> plain_weights(const std::vector<double>& scores,
                                  const std::uint8_t* valid = nullptr) {
  const Index n = std::ssize(scores);
  return numbers_of(weights_of(tensor_of({1, n, 1}, scores), tensor_of({1}, {0}),
                               tensor_of({1}, {kStart}), valid));
}

TEST(PoolWeights, FollowTheFormula) {
  const Tensor scores = random_tensor({2, 5, 3}, "scores", 2), sink = random_tensor({3}, "sink"),
               sharpness = random_tensor({3}, "sharpness");
  const auto s = numbers_of(scores), k = numbers_of(sink), f = numbers_of(sharpness);
  const auto found = numbers_of(weights_of(scores, sink, sharpness));
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t h = 0; h < 3; ++h) {
      const long double factor = f[h] * std::log(5.0L);
      long double sum = std::exp(factor * k[h]);
      for (std::size_t t = 0; t < 5; ++t) sum += std::exp(factor * s[(b * 5 + t) * 3 + h]);
      for (std::size_t t = 0; t < 5; ++t)
        EXPECT_NEAR(found[(b * 3 + h) * 5 + t],
                    static_cast<double>(std::exp(factor * s[(b * 5 + t) * 3 + h]) / sum),
                    64 * kUnit64);
    }
}

/// A token that stands out by m among n: with s·m > 1 it keeps its weight however long the
/// sequence.
TEST(PoolWeights, OneTokenIsFoundAtAnyLength) {
  for (const std::size_t n : {12U, 256U, 4096U}) {
    std::vector<double> scores(n, -4);
    scores[n / 2] = 4;
    EXPECT_GT(plain_weights(scores)[n / 2], 0.97) << n;
    // Nothing stands out: all that is left goes to the sink.
    scores[n / 2] = -4;
    double total = 0;
    for (const double w : plain_weights(scores)) total += w;
    EXPECT_LT(total, 0.2) << n;
  }
}

/// With the factor held at 1 a margin of 8 leaves 1/(1 + (n − 1)e^(−8)) and less: 42 % at 4096.
TEST(PoolWeights, WithoutLogNItIsLost) {
  std::vector<double> scores(4096, -4);
  scores[7] = 4;
  const auto found = numbers_of(weights_of(tensor_of({1, 4096, 1}, scores), tensor_of({1}, {-40}),
                                           tensor_of({1}, {1 / std::log(4096.0)})));
  EXPECT_NEAR(found[7], 1 / (1 + 4095 * std::exp(-8.0)), 1e-12);
}

TEST(PoolWeights, PaddingChangesNothing) {
  const std::vector<double> nan{0.5, std::nan(""), -1, 2, std::nan("")};
  const std::vector<std::uint8_t> valid{1, 0, 1, 1, 0};
  const auto padded = plain_weights(nan, valid.data()), alone = plain_weights({0.5, -1, 2});
  EXPECT_EQ((std::vector<double>{alone[0], 0, alone[1], alone[2], 0}), padded);
}

TEST(PoolMix, WhatWeighsNothingIsNotRead) {
  const Tensor p = tensor_of({1, 1, 3}, {0.5, 0, 0.25});
  const Tensor v = tensor_of({1, 3, 1, 2}, {2, 4, std::nan(""), std::nan(""), -4, 8});
  EXPECT_EQ(numbers_of(pool_mix(Var{p}, Var{v}).value), (std::vector<double>{0, 4}));
}

TEST(PoolAttention, ErrorsSayWhat) {
  const Tensor scores = random_tensor({1, 2, 3}, "s"), three = random_tensor({3}, "t");
  EXPECT_EQ(message_of<ShapeError>([&] { weights_of(scores, random_tensor({2}, "s"), three); }),
            "attention pooling: 2 sinks and 3 factors for 3 heads");
  const Var v{random_tensor({1, 3, 3, 2}, "v")};
  EXPECT_EQ(message_of<ShapeError>([&] { pool_mix(Var{scores}, v); }),
            "attention pooling: weights [1, 2, 3] for values [1, 3, 3, 2]");
}

}  // namespace
}  // namespace heddle::testing
