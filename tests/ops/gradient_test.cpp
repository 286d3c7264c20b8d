// Every operation's gradients against central differences in double precision: the largest error
// over the largest gradient stays below 1e-7.
#include <gtest/gtest.h>

#include "heddle/autograd/gradcheck.hpp"
#include "heddle/ops/loss.hpp"
#include "tests/support/ops/op_cases.hpp"
#include "tests/support/tensors.hpp"

namespace heddle::testing {
namespace {

constexpr double kMost = 1e-7;

class OpGradient : public ::testing::TestWithParam<OpCase> {};

TEST_P(OpGradient, EqualsCentralDifferences) {
  const OpCase& row = GetParam();
  const double error = gradcheck(inputs_of(row, DType::f64), [&](std::span<const Var> leaves) {
    return reduced(row.op(leaves));
  });
  RecordProperty("error", fmt::format("{:.1e}", error));
  EXPECT_LE(error, kMost);
}

INSTANTIATE_TEST_SUITE_P(Ops, OpGradient, ::testing::ValuesIn(op_cases()),
                         row_name<::testing::TestParamInfo<OpCase>>);

/// The loss of a training has the gradient 1 by itself, which the operation passes on unscaled.
TEST(OpGradientOfALoss, EqualsCentralDifferences) {
  const std::vector<std::int32_t> targets{2, -1, 0, 3};
  const std::vector<Tensor> logits{random_tensor({4, 5}, "logits", 2)};
  EXPECT_LE(gradcheck(logits,
                      [&](std::span<const Var> leaves) {
                        return cross_entropy(leaves[0], targets.data(), 1.0 / 3);
                      }),
            kMost);
}

/// The check itself must see a wrong gradient, and one that is missing.
TEST(Gradcheck, SeesAWrongGradient) {
  const std::vector<Tensor> x{random_tensor({3}, "x")};
  const auto square = [](double slope) {
    return [slope](std::span<const Var> leaves) {
      const Tensor at = leaves[0].value;
      Tensor y = Tensor::zeros({1}, DType::f64);
      for (const double v : at.flat<double>()) *y.write<double>() += v * v;
      return record(y, {leaves.data()}, [at, slope](Backprop& b) {
        Tensor dx = Tensor::uninitialised(at.shape(), DType::f64);
        for (Index i = 0; i < at.size(); ++i) dx.write<double>()[i] = slope * at.data<double>()[i];
        b.add(0, dx);
      });
    };
  };
  EXPECT_LE(gradcheck(x, square(2)), 1e-9);
  EXPECT_NEAR(gradcheck(x, square(2.002)), 1e-3, 1e-6);
  EXPECT_NEAR(gradcheck(x, square(0)), 1, 1e-6);
}

TEST(Gradcheck, SeesNaN) {
  const std::vector<double> a{1, std::nan("")}, b{1, 2};
  EXPECT_FALSE(relative_error(a, b) <= 1);
  EXPECT_EQ(relative_error(b, b), 0);
}

}  // namespace
}  // namespace heddle::testing
