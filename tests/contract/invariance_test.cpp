// What must not matter: padding, the future, and whether attention is fused.
#include <vector>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/ops/attention.hpp"
#include "heddle/task/addition/tokens.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

/// A model for longer sequences than its task has, so that there is room for padding.
struct Roomy {
  Config config;
  Seq2Seq model;
  Weights weights;

  explicit Roomy(NormKind norm)
      : config(tiny_config(norm, ActivationKind::relu, PositionKind::learned)),
        model(config.model, {.words = kPlus + 1, .longest_input = 9, .longest_output = 6}),
        weights(model.layout(), DType::f32) {
    weights.initialise(1);
    perturb(weights);
    weights.pack();
  }

  Tensor logits(const Tokens& source, const Tokens& target, const Edits* edits = nullptr) const {
    Run run(weights, edits);
    Activations at;
    model.encode(run, source, at);
    model.decode(run, source, target, at);
    return at.logits.value;
  }
};

/// Rows of tokens, each filled up with rubbish to `length`, and which of them are real.
struct Padded {
  std::vector<std::int32_t> ids;
  std::vector<std::uint8_t> valid;
  Index batch = 0, length = 0;

  Padded(const std::vector<std::vector<std::int32_t>>& rows, Index to)
      : batch(std::ssize(rows)), length(to) {
    for (const auto& row : rows)
      for (Index t = 0; t < to; ++t) {
        const bool real = t < std::ssize(row);
        ids.push_back(real ? row[to_size(t)] : static_cast<std::int32_t>(t % 11));
        valid.push_back(real ? 1 : 0);
      }
  }
  Tokens tokens() const {
    return {.ids = ids.data(), .batch = batch, .length = length, .valid = valid.data()};
  }
};

const std::vector<std::vector<std::int32_t>> kSources{{1, 2, 10, 3, 4}, {7, 10, 8}, {5, 10}};
const std::vector<std::vector<std::int32_t>> kTargets{{12, 0, 4, 6}, {12, 1, 5}, {12, 9}};

/// The real rows of a padded batch against each sequence alone. The sums over keys have the same
/// real terms and zeros between them, in other groups: terms² · u of the largest, per layer.
void expect_padding_unseen(const Roomy& roomy, bool plain) {
  const Padded source(kSources, 9), target(kTargets, 7);
  Edits watching(roomy.model.taps());
  if (plain) watching.on("**.pattern", copying());
  const Edits* edits = plain ? &watching : nullptr;
  const Tensor all = roomy.logits(source.tokens(), target.tokens(), edits);
  for (Index b = 0; b < 3; ++b) {
    const auto row = to_size(b);
    const Padded one({kSources[row]}, static_cast<Index>(kSources[row].size()));
    const Padded answer({kTargets[row]}, static_cast<Index>(kTargets[row].size()));
    const Tensor alone = roomy.logits(one.tokens(), answer.tokens(), edits);
    const Tensor mine = all.window(b * 7 * kVocabulary, {1, answer.length, kVocabulary});
    EXPECT_LE(largest_difference(mine, alone), 16 * 12 * 12 * kUnit * largest(alone)) << b;
  }
}

TEST(Invariance, PaddingChangesNothing) {
  for (const NormKind norm : {NormKind::pre, NormKind::post})
    for (const bool plain : {false, true}) expect_padding_unseen(Roomy(norm), plain);
}

TEST(Invariance, WhatThePaddingHoldsChangesNoBit) {
  const Roomy roomy(NormKind::pre);
  const Padded source(kSources, 9), target(kTargets, 7);
  Padded other = source;
  for (std::size_t i = 0; i < other.ids.size(); ++i)
    if (other.valid[i] == 0) other.ids[i] = 11;
  EXPECT_TRUE(same_bits(roomy.logits(source.tokens(), target.tokens()),
                        roomy.logits(other.tokens(), target.tokens())));
}

TEST(Invariance, TheFutureChangesNoBit) {
  const Roomy roomy(NormKind::pre);
  const Padded source(kSources, 9);
  Padded target({{12, 1, 2, 3, 4, 5, 6}, {12, 6, 5, 4, 3, 2, 1}, {12, 0, 0, 0, 0, 0, 0}}, 7);
  const Tensor before = roomy.logits(source.tokens(), target.tokens());
  for (Index from = 1; from < 7; ++from) {
    Padded changed = target;
    for (Index b = 0; b < 3; ++b)
      for (Index t = from; t < 7; ++t) changed.ids[to_size(b * 7 + t)] = 9;
    const Tensor after = roomy.logits(source.tokens(), changed.tokens());
    for (Index b = 0; b < 3; ++b) {
      const Index row = b * 7 * kVocabulary;
      EXPECT_TRUE(same_bits(before.window(row, {from, kVocabulary}),
                            after.window(row, {from, kVocabulary})));
      EXPECT_GT(largest_difference(before.window(row + from * kVocabulary, {kVocabulary}),
                                   after.window(row + from * kVocabulary, {kVocabulary})),
                0);
    }
  }
}

/// Fused and plain attention compute the same sums: d terms for a score, `keys` for the rest.
TEST(Invariance, FusedAttentionIsThePlainSteps) {
  const std::vector<std::uint8_t> valid{1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
  for (const AttentionMask& mask :
       {AttentionMask{}, AttentionMask{.causal = true}, AttentionMask{.causal = true, .offset = 1},
        AttentionMask{.key_valid = valid.data()}})
    for (const DType dtype : {DType::f32, DType::f64}) {
      const Var q{random_tensor({2, 4, 3, 6}, "q", 2, dtype)};
      const Var k{random_tensor({2, 5, 3, 6}, "k", 2, dtype)};
      const Var v{random_tensor({2, 5, 3, 6}, "v", 1, dtype)};
      const Tensor fused = attention(q, k, v, mask).value;
      const Tensor plain = attention_mix(attention_pattern(attention_scores(q, k, mask)), v).value;
      const double unit = dtype == DType::f32 ? kUnit : kUnit64;
      const double scores = 6 * 2 * 2;  // Σ|q||k| bounds a score, so exp carries 6·u·24 of it
      EXPECT_LE(largest_difference(fused, plain), (6 * scores + 5 + 8) * unit);
    }
}

}  // namespace
}  // namespace heddle::testing
