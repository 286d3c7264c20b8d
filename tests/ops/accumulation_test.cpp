// Gradients add up where an input is used twice, stay away from inputs that are constants, and are
// the same whether an input is a leaf or a weight with a window of a larger buffer.
#include <gtest/gtest.h>

#include "heddle/autograd/gradcheck.hpp"
#include "heddle/ops/arithmetic.hpp"
#include "tests/support/ops/op_cases.hpp"
#include "tests/support/tensors.hpp"

namespace heddle::testing {
namespace {

class OpAccumulation : public ::testing::TestWithParam<OpCase> {
 protected:
  static Var once(std::span<const Var> leaves, const std::string& stream = "reduce") {
    return reduced(GetParam().op(leaves), stream);
  }
  static Var twice(std::span<const Var> leaves) {
    return add(once(leaves, "first"), once(leaves, "second"));
  }
  static std::vector<Tensor> inputs() { return inputs_of(GetParam(), DType::f64); }

  /// Sums in another order: a few roundings of the largest number.
  static void expect_near(const Tensor& a, const Tensor& b, std::size_t input) {
    const double tolerance = 64 * kUnit64 * std::max(1.0, largest(b));
    EXPECT_LE(largest_difference(a, b), tolerance) << "input " << input;
  }
};

TEST_P(OpAccumulation, TwoUsesAdd) {
  const auto stream = [](const char* name) {
    return [name](std::span<const Var> leaves) { return once(leaves, name); };
  };
  const auto a = tape_gradients(inputs(), stream("first"));
  const auto b = tape_gradients(inputs(), stream("second"));
  const auto both = tape_gradients(inputs(), twice);
  for (std::size_t i = 0; i < both.size(); ++i)
    expect_near(both[i], add(Var{a[i]}, Var{b[i]}).value, i);
}

TEST_P(OpAccumulation, ConstantsGetNoneAndChangeNothing) {
  const std::vector<Tensor> values = inputs();
  const auto all = tape_gradients(values, [](std::span<const Var> leaves) { return once(leaves); });
  for (std::size_t only = 0; only < values.size(); ++only)
    for (const bool frozen : {false, true}) {  // one on the tape; all but one
      if (frozen && values.size() == 1) continue;
      Tape tape;
      std::vector<Var> vars;
      for (std::size_t i = 0; i < values.size(); ++i)
        vars.push_back((i == only) != frozen ? tape.leaf(values[i]) : Var{values[i]});
      tape.backward(once(vars));
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (vars[i].tape == nullptr) continue;
        const Tensor& found = tape.gradient(vars[i]);
        ASSERT_FALSE(found.empty()) << "input " << i << " got no gradient";
        expect_near(found, all[i], i);
      }
    }
}

TEST_P(OpAccumulation, WeightsGetTheSame) {
  const std::vector<Tensor> values = inputs();
  for (const bool two : {false, true}) {
    const auto loss = [&](std::span<const Var> leaves) {
      return two ? twice(leaves) : once(leaves);
    };
    const auto expected = tape_gradients(values, loss);
    constexpr Index kGap = 3;
    Tape tape;
    std::vector<Var> vars;
    std::vector<Tensor> buffers;
    for (std::size_t i = 0; i < values.size(); ++i) {
      buffers.push_back(random_tensor({values[i].size() + kGap}, "rubbish"));
      vars.push_back(GetParam().inputs[i].weight
                         ? tape.weight(values[i], buffers[i].window(1, values[i].shape()))
                         : tape.leaf(values[i]));
    }
    tape.backward(loss(vars));
    for (std::size_t i = 0; i < values.size(); ++i) {
      expect_near(tape.gradient(vars[i]), expected[i], i);
      if (!GetParam().inputs[i].weight) continue;
      EXPECT_TRUE(tape.touched(vars[i]));
      const Tensor before = random_tensor({values[i].size() + kGap}, "rubbish");
      EXPECT_EQ(*buffers[i].data<double>(), *before.data<double>()) << "wrote outside the window";
      EXPECT_TRUE(same_bits(buffers[i].window(values[i].size() + 1, {2}),
                            before.window(values[i].size() + 1, {2})));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, OpAccumulation, ::testing::ValuesIn(op_cases()),
                         row_name<::testing::TestParamInfo<OpCase>>);

}  // namespace
}  // namespace heddle::testing
