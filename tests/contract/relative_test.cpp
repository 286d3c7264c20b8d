// What encodings inside attention promise, each of them with every direction and normaliser: it
// does not matter whether steps are fused or cut in pieces, where a sequence begins or what is
// padding.
#include <array>
#include <numeric>

#include <gtest/gtest.h>

#include "heddle/autograd/gradcheck.hpp"
#include "heddle/ops/arithmetic.hpp"
#include "tests/support/ops/lone_attention.hpp"
#include "tests/support/tap_contract.hpp"

namespace heddle::testing {
namespace {

/// The products pass 8 and 4 terms, the pattern `keys`, the scores are below 16 in size, and the
/// pattern is off by their error: terms · u of that, and of the largest result.
double rounding(Index keys, const Tensor& result) {
  return 16 * static_cast<double>(8 + 4 + keys) * kUnit * std::max(1.0, largest(result));
}

class RelativeContract : public ::testing::TestWithParam<Manner> {
 protected:
  LoneAttention attention{GetParam()};
};

TEST_P(RelativeContract, FusedEqualsPlain) {
  const Tensor x = random_tensor({2, 21, kWidth}, "x", 1, DType::f32);
  std::vector<std::uint8_t> valid(42, 1);
  std::fill(valid.begin() + 30, valid.end(), 0);
  Edits watching(attention.taps());
  Tensor pattern;
  watching.on("self.pattern", storing(pattern));
  const Tensor plain = attention.pass(x, valid.data(), &watching);
  EXPECT_LE(largest_difference(attention.pass(x, valid.data()), plain), rounding(21, plain));
  for (Index row = 0; row < 2 * 2 * 21; ++row) {
    // A head that looks ahead sees nothing from the second sequence's padding.
    const bool blind = GetParam().direction == Direction::split && row / 21 == 3 && row % 21 >= 9;
    const float* p = pattern.data<float>() + row * 21;
    EXPECT_NEAR(std::accumulate(p, p + 21, 0.0), blind ? 0 : 1, 21 * 4 * kUnit) << row;
  }
}

TEST_P(RelativeContract, EveryTapIsHeard) {
  const Tensor x = random_tensor({2, 7, kWidth}, "x", 1, DType::f32);
  EXPECT_EQ(broken_taps(attention.taps(),
                        [&](const Edits* edits) { return attention.pass(x, nullptr, edits); }),
            std::vector<std::string>{});
}

/// Heads look where they are told: weight 0 elsewhere.
TEST_P(RelativeContract, Direction) {
  const Tensor x = random_tensor({1, 6, kWidth}, "x", 1, DType::f32);
  Edits watching(attention.taps());
  Tensor pattern;
  watching.on("self.pattern", storing(pattern));
  (void)attention.pass(x, nullptr, &watching);
  for (Index h = 0; h < 2; ++h)
    for (Index i = 0; i < 6; ++i)
      for (Index j = 0; j < 6; ++j) {
        const bool ahead = GetParam().direction == Direction::split && h == 1;
        const bool seen = GetParam().direction == Direction::both || (ahead ? j >= i : j <= i);
        const float p = pattern.data<float>()[(h * 6 + i) * 6 + j];
        if (!seen) {
          EXPECT_EQ(p, 0);
        } else if (GetParam().normaliser != Normaliser::entmax) {
          EXPECT_GT(p, 0);
        }
      }
}

/// Padding in front moves every place by as much, and nobody may notice. (FIRE looks at places,
/// too, but below its length L, here near 16, at their distance alone.)
TEST_P(RelativeContract, ACommonShiftChangesNothing) {
  constexpr Index kShift = 4, kLength = 6;
  const Tensor padded = random_tensor({1, kShift + kLength, kWidth}, "x", 1, DType::f32);
  const Tensor x = padded.window(kShift * kWidth, {1, kLength, kWidth});
  const std::array<std::uint8_t, kShift + kLength> valid{0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  const Tensor alone = attention.pass(x);
  const Tensor shifted =
      attention.pass(padded, valid.data()).window(kShift * kWidth, {1, kLength, kWidth});
  EXPECT_LE(largest_difference(shifted, alone), rounding(kLength, alone));
}

/// Decoding position by position, with keys and values kept, is one pass with a causal mask.
TEST_P(RelativeContract, CachedEqualsWhole) {
  Manner manner = GetParam();
  manner.causal = true;
  const LoneAttention causal(manner);
  const Tensor x = random_tensor({1, 7, kWidth}, "x", 1, DType::f32);
  const Tensor whole = causal.pass(x);
  EXPECT_LE(largest_difference(causal.pass_cached(x), whole), rounding(7, whole));
}

/// Long inputs that cannot be fused go piece by piece when nobody watches, and get the same bits.
TEST_P(RelativeContract, LongInputsEqualTheWhole) {
  const Manner manner = GetParam();
  const bool fused = manner.normaliser != Normaliser::entmax && manner.kind != RelativeKind::shaw &&
                     manner.kind != RelativeKind::fire;
  const Tensor x = random_tensor({1, 741, kWidth}, "long", 1, DType::f32);  // 2 · 741² > 2²⁰
  Edits watching(attention.taps());
  Tensor scores;
  watching.on("self.scores", storing(scores));
  const Tensor whole = attention.pass(x, nullptr, &watching);
  EXPECT_EQ(scores.dim(2), 741);
  if (fused) {
    EXPECT_LE(largest_difference(attention.pass(x), whole), rounding(741, whole));
  } else {
    EXPECT_TRUE(same_bits(attention.pass(x), whole));
  }
}

/// Every weight's gradient, through fused or plain steps, against central differences.
TEST_P(RelativeContract, Gradients) {
  const LoneAttention wide(GetParam(), DType::f64);
  const Tensor x = random_tensor({2, 5, kWidth}, "x"), flat = wide.weights().flat();
  const std::array<std::uint8_t, 10> valid{1, 1, 1, 1, 1, 1, 1, 1, 0, 0};
  const auto loss = [&](heddle::Run& run) {
    const Var y = wide.forward(run, Var{x}, valid.data());
    return weighted_sum(y, random_tensor(y.value.shape(), "reduce"));
  };
  Tape tape;
  const Tensor gradient = Tensor::zeros(flat.shape(), DType::f64);
  heddle::Run run(wide.weights());
  run.differentiate(tape, gradient);
  tape.backward(loss(run));
  const Tensor expected = numeric_gradient(flat, [&] {
    heddle::Run fresh(wide.weights());
    return *loss(fresh).value.data<double>();
  });
  EXPECT_LE(relative_error(gradient.flat<double>(), expected.flat<double>()), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Manners, RelativeContract, ::testing::ValuesIn(all_manners()),
                         [](const auto& row) {
                           return fmt::format("K{}D{}N{}", static_cast<int>(row.param.kind),
                                              static_cast<int>(row.param.direction),
                                              static_cast<int>(row.param.normaliser));
                         });

/// A bias that does not know left from right cannot tell a sequence from its reverse.
TEST(RelativeSymmetry, SymmetricBiasesCannotTellAReverse) {
  for (const RelativeKind kind : {RelativeKind::none, RelativeKind::alibi, RelativeKind::kerple}) {
    const LoneAttention attention({.kind = kind});
    const LoneAttention split({.kind = kind, .direction = Direction::split});
    const Tensor x = random_tensor({1, 9, kWidth}, "x", 1, DType::f32);
    const auto reversed = [](const Tensor& t) {
      Tensor back = Tensor::uninitialised(t.shape(), t.dtype());
      for (Index i = 0; i < 9; ++i)
        std::copy_n(t.data<float>() + i * kWidth, kWidth, back.write<float>() + (8 - i) * kWidth);
      return back;
    };
    const Tensor y = attention.pass(x);
    EXPECT_LE(largest_difference(reversed(attention.pass(reversed(x))), y), rounding(9, y));
    EXPECT_GT(largest_difference(reversed(split.pass(reversed(x))), split.pass(x)), 1e-3);
  }
}

/// Slopes at the start, and what a head that is left of others keeps.
TEST(RelativeStart, Slopes) {
  const auto slopes = [](const RelativeSizes& sizes) {
    Blueprint blueprint;
    const auto relative = make_relative(RelativeKind::alibi, sizes, Builder(blueprint).at("self"));
    Weights weights(blueprint.weights, DType::f64);
    weights.initialise(1);
    EXPECT_EQ(blueprint.weights[0].path, "self.slopes");
    std::vector<double> out;
    for (const double log_slope : weights.value(0).flat<double>())
      out.push_back(std::exp(log_slope));
    return out;
  };
  const auto expect = [](const std::vector<double>& got, const std::vector<double>& wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-15);
  };
  expect(slopes({.heads = 5}), {1, 1, 0.5, 0.5, 1});
  expect(slopes({.heads = 4, .classic_slopes = true}), {0.25, 0.0625, 0.015625, 0.00390625});
  expect(slopes({.heads = 2, .slopes = {0.3, 2, 0.7}, .numbers = {0, 2}}), {0.3, 0.7});
  expect(slopes({.heads = 2, .classic_slopes = true, .numbers = {1, 3}, .all_heads = 4}),
         {0.0625, 0.00390625});
  EXPECT_THROW((void)slopes({.heads = 2, .slopes = {1}}), UsageError);
}

TEST(RelativeStart, AHeadThatIsLeftKeepsItsDirection) {
  Blueprint blueprint;
  const RelativeSizes sizes{.heads = 2, .direction = Direction::split, .numbers = {1, 3}};
  const auto relative = make_relative(RelativeKind::none, sizes, Builder(blueprint));
  ASSERT_EQ(relative->sees().size(), 2U);
  for (const VisibleSide head : relative->sees()) EXPECT_EQ(head, VisibleSide::after);
  EXPECT_EQ(make_relative(RelativeKind::none, {.heads = 2}, Builder(blueprint)), nullptr);
  EXPECT_THROW(
      (void)make_relative(RelativeKind::rope, {.heads = 2, .d_head = 3}, Builder(blueprint)),
      UsageError);
}

}  // namespace
}  // namespace heddle::testing
