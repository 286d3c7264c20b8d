// Fused attention against its double twin: lengths, widths, masks, strides; and the plain steps.
#include "heddle/base/index.hpp"
#include "heddle/kernels/softmax.hpp"
#include "tests/ops/attention_problem.hpp"

namespace heddle::kernels::testing {
namespace {

TEST(KernelAttention, MatchesTwinAtEveryShape) {
  for_each_isa([] {
    for (const Index queries : {1, 5, 7, 16, 29})
      for (const Index keys : {1, 2, 7, 8, 16, 33, 70})
        for (const Index d : {1, 3, 8, 16, 31, 32, 48, 65})
          expect_match(shape_of(queries, keys, d));
    expect_match(shape_of(3, 4099, 32));
    expect_match(shape_of(14, 9, 256));
    expect_match(shape_of(7, 7, 32), 20);  // scores of hundreds: a sharp pattern
  });
}

TEST(KernelAttention, CausalWithOffset) {
  for_each_isa([] {
    for (const Index d : {7, 32})
      for (const auto& [queries, keys, offset] : {std::array<Index, 3>{5, 5, 0},
                                                  {1, 9, 8},
                                                  {3, 20, 4},
                                                  {40, 40, 0},
                                                  {4, 6, -2},
                                                  {17, 3, -1}}) {
        AttentionShape shape = shape_of(queries, keys, d);
        shape.causal = true;
        shape.offset = offset;  // negative: the first queries see nothing
        expect_match(shape);
      }
  });
}

TEST(KernelAttention, Padding) {
  for_each_isa([] {
    for (const auto& [queries, causal] :
         {std::pair<Index, bool>{13, false}, {13, true}, {1, false}})
      for (const Index keys : {4, 9, 21})
        for (const unsigned pattern : {0x0U, 0x5U, 0xFFFF2U, 0x1EU}) {
          AttentionShape shape = shape_of(queries, keys, 32);
          shape.causal = causal;
          std::vector<std::uint8_t> valid;
          for (Index b = 0; b < shape.batch; ++b)
            for (Index j = 0; j < keys; ++j)
              valid.push_back((pattern >> static_cast<unsigned>(b + j)) & 1U);
          shape.key_valid = valid.data();
          expect_match(shape);
        }
  });
}

TEST(KernelAttention, WhatIsPaddingMayBeAnything) {
  for_each_isa([] {
    AttentionShape shape = shape_of(4, 6, 32);
    const std::vector<std::uint8_t> valid = {1, 1, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0};
    shape.key_valid = valid.data();
    Problem<float> clean(shape, 1);
    Problem<float> dirty(shape, 1);
    for (std::size_t row = 0; row < valid.size(); ++row)
      for (Index e = 0; e < dirty.k.columns && valid[row] == 0; ++e)
        dirty.k(static_cast<Index>(row), e) = dirty.v(static_cast<Index>(row), e) =
            std::numeric_limits<float>::quiet_NaN();
    clean.run();
    dirty.run();
    EXPECT_EQ(clean.z.data, dirty.z.data);
    EXPECT_EQ(clean.dq.data, dirty.dq.data);
    EXPECT_EQ(clean.dk.data, dirty.dk.data);
  });
}

/// As in cached decoding: one query, and no more keys than it sees.
void expect_same_alone(const Problem<float>& all, Index i) {
  Problem<float> one(all);
  one.shape.batch = 1;
  one.shape.queries = 1;
  one.shape.keys = i + 1;
  one.shape.offset = i;
  attention_forward({.shape = one.shape,
                     .q = {.data = all.q.begin() + i * all.q.stride, .stride = all.q.stride},
                     .k = one.rows(all.k),
                     .v = one.rows(all.v),
                     .z = one.out(one.z),
                     .lse = one.lse.begin()});
  for (Index e = 0; e < one.z.columns; ++e) ASSERT_EQ(one.z(0, e), all.z(i, e)) << i;
  for (Index h = 0; h < all.shape.heads; ++h)
    ASSERT_EQ(one.lse.data[to_size(h)], all.lse(h, i)) << i;
}

TEST(KernelAttention, AQueryHasTheSameBitsAloneAndInABatch) {
  for_each_isa([] {
    for (const Index heads : {1, 3, 6})
      for (const Index d : {7, 32, 40})
        for (const bool padded : {false, true}) {
          AttentionShape shape = shape_of(43, 43, d);
          shape.heads = heads;
          shape.causal = true;
          std::vector<std::uint8_t> valid(to_size(shape.batch * shape.keys), 1);
          for (std::size_t j = 1; j < valid.size(); j += 3) valid[j] = 0;
          if (padded) shape.key_valid = valid.data();
          Problem<float> all(shape, 1);
          all.run();
          for (const Index i : {0, 1, 4, 11, 12, 26, 42}) expect_same_alone(all, i);
        }
  });
}

/// The plain steps composed give what the fused twin gives, forward and backward.
template <class T>
void expect_plain_attention_equals_fused(T unit) {
  AttentionShape shape = shape_of(6, 9, 10);
  shape.causal = true;
  shape.offset = 1;
  std::vector<std::uint8_t> valid(to_size(shape.batch * shape.keys), 1);
  valid[1] = valid[12] = 0;
  shape.key_valid = valid.data();
  Problem<double> fused(shape, 1);
  fused.run();
  Problem<T> p(shape, 1);
  const Index rows = shape.batch * shape.heads * shape.queries;
  Grid<T> scores(rows, shape.keys);
  Grid<T> pattern(rows, shape.keys);
  Grid<T> dpattern(rows, shape.keys);
  attention_scores(shape, p.rows(p.q), p.rows(p.k), scores.begin());
  softmax(std::as_const(scores).view(), pattern.view());
  attention_mix(shape, pattern.begin(), p.rows(p.v), p.out(p.z));
  attention_mix_backward(shape, pattern.begin(), p.rows(p.v), p.rows(p.dz), dpattern.begin(),
                         p.out(p.dv));
  softmax_backward(std::as_const(pattern).view(), std::as_const(dpattern).view(), dpattern.view());
  attention_scores_backward(shape, p.rows(p.q), p.rows(p.k), dpattern.begin(), p.out(p.dq),
                            p.out(p.dk));
  // Sums of at most 10 terms of numbers below 10, three of them in a row.
  const double tolerance = static_cast<double>(unit) * 3 * 10 * 10;
  const auto expect_equal = [&](const Grid<T>& a, const Grid<double>& b) {
    ASSERT_TRUE(a.fenced());
    for (Index i = 0; i < a.rows; ++i)
      for (Index j = 0; j < a.columns; ++j)
        ASSERT_NEAR(static_cast<double>(a(i, j)), b(i, j), tolerance);
  };
  expect_equal(p.z, fused.z);
  expect_equal(p.dq, fused.dq);
  expect_equal(p.dk, fused.dk);
  expect_equal(p.dv, fused.dv);
}

TEST(KernelAttention, PlainStepsEqualFused) {
  expect_plain_attention_equals_fused<double>(0x1p-53);
  for_each_isa([] { expect_plain_attention_equals_fused<float>(0x1p-24F); });
}

}  // namespace
}  // namespace heddle::kernels::testing
