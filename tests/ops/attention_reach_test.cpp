// Keys too far away to weigh anything are left out of fused attention: that must change no answer,
// whatever the scores are.
//
// Tolerance. A score is a sum of d products, each at most |q||k|/√d, then an exponential: an error
// of d·u·|score| in the exponent, u = 2⁻²⁴, moves a weight by as much of itself. With scores up to
// 400 and d = 16 that is 400·16·u < 4e-4 of |v| ≤ 1.
#include <gtest/gtest.h>

#include "heddle/ops/attention.hpp"
#include "heddle/ops/distance.hpp"
#include "tests/support/tensors.hpp"

namespace heddle::testing {
namespace {

constexpr Index kLength = 200, kHeads = 2, kWidth = 16;
constexpr double kTolerance = 4e-4;

Tensor slopes(DType dtype) {
  Tensor table = Tensor::uninitialised({kHeads}, dtype);
  dispatch(dtype, [&]<class T>() { table.write<T>()[0] = table.write<T>()[1] = T{0}; });
  return table;  // logarithms: both slopes are 1
}

Tensor attended(DType dtype, double size, bool loud_first_key) {
  const Shape shape{1, kLength, kHeads, kWidth};
  Tensor q = random_tensor(shape, "q", size, dtype), k = random_tensor(shape, "k", size, dtype);
  if (loud_first_key)
    dispatch(dtype, [&]<class T>() {
      for (Index i = 0; i < q.size(); ++i) q.write_shared<T>()[i] = T{10};
      for (Index i = 0; i < kHeads * kWidth; ++i) k.write_shared<T>()[i] = T{10};
    });
  const Tensor v = random_tensor(shape, "v", 1, dtype);
  const std::vector<VisibleSide> sides{VisibleSide::before, VisibleSide::after};
  const Var table = masked_table(alibi_table(Var{slopes(dtype)}, kLength), sides);
  return attention(Var{q}, Var{k}, Var{v}, {}, &table).value;
}

TEST(AttentionReach, LeavesNoAnswerChanged) {
  for (const double size : {0.1, 1.0, 4.0})
    EXPECT_LE(
        largest_difference(attended(DType::f32, size, false), attended(DType::f64, size, false)),
        kTolerance)
        << size;
}

/// 400 for the first key against 1 for every step away from it: it wins from 199 places off, and
/// no bound on distance alone would have kept it.
TEST(AttentionReach, AFarKeyThatIsLoudEnoughIsHeard) {
  const Tensor narrow = attended(DType::f32, 0.01, true), wide = attended(DType::f64, 0.01, true);
  EXPECT_LE(largest_difference(narrow, wide), kTolerance);
  const Tensor v = random_tensor({1, kLength, kHeads, kWidth}, "v", 1, DType::f64);
  const double last = wide.data<double>()[(kLength - 1) * kHeads * kWidth];
  EXPECT_NEAR(last, v.data<double>()[0],
              1e-6);  // head 0 looks back: the last query has the first v
}

}  // namespace
}  // namespace heddle::testing
