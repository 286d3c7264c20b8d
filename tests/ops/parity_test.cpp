// Every operation in float against the same in double, values and gradients alike.
//
// Tolerance. A sum of n products, each at most M, carries a rounding error of at most n·u·(n·M) in
// float, u = 2⁻²⁴; the elementary functions add a few u each and are counted as terms. With `terms`
// the longest sum of the row and M the largest number in sight: terms² · u · M.
#include <gtest/gtest.h>

#include "heddle/autograd/gradcheck.hpp"
#include "tests/support/ops/op_cases.hpp"
#include "tests/support/tensors.hpp"

namespace heddle::testing {
namespace {

class OpParity : public ::testing::TestWithParam<OpCase> {
 protected:
  /// The value, then the gradient of every input.
  static std::vector<Tensor> results(DType dtype) {
    const OpCase& row = GetParam();
    const std::vector<Tensor> inputs = inputs_of(row, dtype);
    std::vector<Tensor> all;
    const auto gradients = tape_gradients(inputs, [&](std::span<const Var> leaves) {
      const Var y = row.op(leaves);
      all.push_back(y.value);
      return reduced(y);
    });
    all.insert(all.end(), gradients.begin(), gradients.end());
    return all;
  }
};

TEST_P(OpParity, FloatFollowsDouble) {
  const OpCase& row = GetParam();
  const std::vector<Tensor> wide = results(DType::f64), narrow = results(DType::f32);
  double norm = 1;
  for (const Tensor& t : wide) norm = std::max(norm, largest(t));
  for (const Tensor& t : inputs_of(row, DType::f64)) norm = std::max(norm, largest(t));
  const double tolerance = row.terms * row.terms * kUnit * norm;
  double most = 0;
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const double difference = largest_difference(narrow[i], wide[i]);
    EXPECT_LE(difference, tolerance) << (i == 0 ? "value" : "gradient of input ") << i - 1;
    most = std::max(most, difference);
  }
  RecordProperty("difference", fmt::format("{:.1e} of {:.1e}", most, tolerance));
}

INSTANTIATE_TEST_SUITE_P(Ops, OpParity, ::testing::ValuesIn(op_cases()),
                         row_name<::testing::TestParamInfo<OpCase>>);

}  // namespace
}  // namespace heddle::testing
