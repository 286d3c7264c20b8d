// Fused attention with a bias by distance against its double twin, and against the plain steps.
#include "heddle/base/index.hpp"
#include "heddle/kernels/softmax.hpp"
#include "tests/ops/attention_problem.hpp"

namespace heddle::kernels::testing {
namespace {

TEST(KernelAttentionBias, MatchesTwinAtEveryShape) {
  for_each_isa([] {
    for (const Index queries : {1, 5, 16, 29, 40})
      for (const Index keys : {1, 2, 7, 16, 33, 70})
        for (const Index d : {3, 8, 31, 32})
          for (const Index more : {0, 5})
            expect_match(shape_of(queries, keys, d), 1, std::max(queries, keys) + more);
    expect_match(shape_of(3, 1025, 32), 1, 1025);
    expect_match(shape_of(7, 7, 32), 20, 7);  // scores of hundreds: a sharp pattern
  });
}

TEST(KernelAttentionBias, CausalPaddedWithOffset) {
  for_each_isa([] {
    for (const bool causal : {false, true})
      for (const auto& [queries, keys, offset] :
           {std::array<Index, 3>{13, 13, 0}, {1, 9, 8}, {3, 20, 4}, {18, 21, 2}, {4, 6, -2}})
        for (const unsigned pattern : {0x0U, 0x5U, 0xFFFF2U, 0x1EU, ~0U}) {
          AttentionShape shape = shape_of(queries, keys, 32);
          shape.causal = causal;
          shape.offset = offset;
          std::vector<std::uint8_t> valid;
          for (Index b = 0; b < shape.batch; ++b)
            for (Index j = 0; j < keys; ++j)
              valid.push_back((pattern >> static_cast<unsigned>(b + j)) & 1U);
          shape.key_valid = valid.data();
          expect_match(shape, 1, std::max(queries + offset, keys - std::min(offset, Index{0})));
        }
  });
}

/// Who sees nothing, because of the bias alone, reads nothing and moves nothing.
TEST(KernelAttentionBias, AQueryThatSeesNothing) {
  for_each_isa([] {
    Problem<float> p(shape_of(5, 6, 8), 1);
    p.add_bias(6);
    for (Index c = 0; c < 11; ++c) p.bias(1, c) = -std::numeric_limits<float>::infinity();
    p.run();
    for (Index i = 0; i < 5; ++i) {
      EXPECT_EQ(p.lse(1, i), -std::numeric_limits<float>::infinity());
      for (Index e = 8; e < 16; ++e) {
        EXPECT_EQ(p.z(i, e), 0);
        EXPECT_EQ(p.dq(i, e), 0);
        EXPECT_EQ(p.dk(i, e), 0);
        EXPECT_EQ(p.dv(i, e), 0);
      }
    }
    for (Index c = 0; c < 11; ++c) EXPECT_EQ(p.dbias(1, c), 0);
  });
}

/// A bias of zeros is none: the same numbers up to the rounding of the added zero, which is nil.
TEST(KernelAttentionBias, ZerosChangeNothing) {
  for_each_isa([] {
    Problem<float> plain(shape_of(21, 18, 16), 1), zeros(shape_of(21, 18, 16), 1);
    zeros.add_bias(21);
    zeros.bias.fill_with(0);
    plain.run();
    zeros.run();
    expect_within(zeros.z, plain.z.wide(), 64 * kUnit, "z");
    expect_within(zeros.dk, plain.dk.wide(), 64 * kUnit * 21, "dk");
  });
}

/// The plain steps composed give what the fused twin gives.
template <class T>
void expect_plain_equals_fused(T unit) {
  AttentionShape shape = shape_of(6, 9, 10);
  shape.offset = 1;
  std::vector<std::uint8_t> valid(to_size(shape.batch * shape.keys), 1);
  valid[1] = valid[12] = 0;
  shape.key_valid = valid.data();
  Problem<double> fused(shape, 1);
  fused.add_bias(9);
  fused.run();
  Problem<T> p(shape, 1);
  p.add_bias(9);
  const Index rows = shape.batch * shape.heads * shape.queries;
  Grid<T> scores(rows, shape.keys), pattern(rows, shape.keys), dpattern(rows, shape.keys);
  attention_scores(shape, p.rows(p.q), p.rows(p.k), scores.begin(), p.read_bias());
  softmax(std::as_const(scores).view(), pattern.view());
  attention_mix(shape, pattern.begin(), p.rows(p.v), p.out(p.z));
  attention_mix_backward(shape, pattern.begin(), p.rows(p.v), p.rows(p.dz), dpattern.begin(),
                         p.out(p.dv));
  softmax_backward(std::as_const(pattern).view(), std::as_const(dpattern).view(), dpattern.view());
  attention_scores_backward(shape, p.rows(p.q), p.rows(p.k), dpattern.begin(), p.out(p.dq),
                            p.out(p.dk));
  attention_bias_backward<T>(shape, dpattern.begin(), {p.dbias.begin(), p.span});
  // Sums of at most 18 terms of numbers below 10, three of them in a row.
  const double tolerance = static_cast<double>(unit) * 3 * 18 * 10;
  const auto expect_equal = [&](const Grid<T>& a, const Grid<double>& b) {
    for (Index i = 0; i < a.rows; ++i)
      for (Index j = 0; j < a.columns; ++j)
        ASSERT_NEAR(static_cast<double>(a(i, j)), b(i, j), tolerance);
  };
  expect_equal(p.z, fused.z);
  expect_equal(p.dq, fused.dq);
  expect_equal(p.dk, fused.dk);
  expect_equal(p.dv, fused.dv);
  expect_equal(p.dbias, fused.dbias);
}

TEST(KernelAttentionBias, PlainStepsEqualFused) {
  expect_plain_equals_fused<double>(0x1p-53);
  for_each_isa([] { expect_plain_equals_fused<float>(0x1p-24F); });
}

}  // namespace
}  // namespace heddle::kernels::testing
