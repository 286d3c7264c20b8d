// One attention in float and in double, and how far the two may be apart.
#pragma once

#include "heddle/kernels/attention.hpp"
#include "tests/ops/kernel_testing.hpp"

namespace heddle::kernels::testing {

/// Everything one attention needs, in one precision. q, k, v live side by side in wider rows when
/// queries and keys are equally many, as in self-attention.
template <class T>
struct Problem {
  AttentionShape shape;
  Grid<T> q, k, v, z, dz, lse, dq, dk, dv;
  Index span = 0;  ///< of the bias by distance, if there is one
  Grid<T> bias{0, 0}, dbias{0, 0};

  Problem(const AttentionShape& s, double size)
      : shape(s),
        q(s.batch * s.queries, s.heads * s.d, 3),
        k(s.batch * s.keys, s.heads * s.d, 1),
        v(s.batch * s.keys, s.heads * s.d),
        z(s.batch * s.queries, s.heads * s.d, 2),
        dz(s.batch * s.queries, s.heads * s.d),
        lse(s.batch * s.heads, s.queries),
        dq(s.batch * s.queries, s.heads * s.d, 5),
        dk(s.batch * s.keys, s.heads * s.d, 7),
        dv(s.batch * s.keys, s.heads * s.d, 1) {
    q.fill(1, size);
    k.fill(2, size);
    v.fill(3);
    dz.fill(4);
  }
  HeadRows<const T> rows(const Grid<T>& g) const { return {g.begin(), g.stride}; }
  HeadRows<T> out(Grid<T>& g) { return {g.begin(), g.stride}; }
  /// A bias for distances below `reach`, every fifth entry −inf; heads look back, ahead, both ways.
  void add_bias(Index reach) {
    span = reach;
    bias = Grid<T>(shape.heads, 2 * span - 1).fill(5, 2);
    dbias = Grid<T>(shape.heads, 2 * span - 1);
    for (Index h = 0; h < shape.heads; ++h)
      for (Index c = 0; c < 2 * span - 1; ++c) {
        const Index distance = c - span + 1;
        const bool hidden = (h % 3 == 0 && distance < 0) || (h % 3 == 1 && distance > 0);
        if (hidden || (c + h) % 5 == 4) bias(h, c) = -std::numeric_limits<T>::infinity();
      }
  }
  DistanceBias<const T> read_bias() const { return {span > 0 ? bias.begin() : nullptr, span}; }
  void run() {
    attention_forward({shape, rows(q), rows(k), rows(v), out(z), lse.begin(), read_bias()});
    attention_backward({shape, rows(q), rows(k), rows(v), rows(z), rows(dz), lse.begin(), out(dq),
                        out(dk), out(dv), read_bias(), span > 0 ? dbias.begin() : nullptr});
  }
};

/// The largest scale · Σ_e |q_e k_e| of any query and key.
inline double largest_score(const Problem<float>& p) {
  AttentionShape all = p.shape;
  all.causal = false;
  all.key_valid = nullptr;
  const Grid<double> q = p.q.absolute();
  const Grid<double> k = p.k.absolute();
  Grid<double> scores(all.batch * all.heads * all.queries, all.keys);
  attention_scores<double>(all, {.data = q.begin(), .stride = q.stride},
                           {.data = k.begin(), .stride = k.stride}, scores.begin());
  return largest(scores);
}

/// Bounds that follow from the rounding of sums, all of |v|, |dz| ≤ 1, |q|, |k| ≤ size, Σ_j P_ij =
/// 1:
///   a score is off by (d + 3) units of its size; the pattern by twice that, relatively, and by the
///   rounding of exp and of its sum; z is a mean of v under the pattern; dS = scale · P (dP − D)
///   with |dP|, |D| ≤ d; dq, dk and dv are sums over keys or queries of such terms.
struct Tolerance {
  double lse, z, dq, dk, dv, dbias;

  Tolerance(const Problem<float>& p, double size) {
    const auto d = static_cast<double>(p.shape.d);
    const auto keys = static_cast<double>(p.shape.keys);
    const auto queries = static_cast<double>(p.shape.queries);
    const double biased = p.span > 0 ? 2 : 0;  // the largest of a bias
    const double top = largest_score(p) + biased;
    const double score = (d + 3) * kUnit * top;
    lse = score + (keys + 20) * kUnit + 2 * kUnit * (top + std::log(keys));
    const double pattern = score + lse;
    z = pattern + (keys + 2) * kUnit;
    const double mixed = 2 * (d + 1) * kUnit * d + z * d + pattern * 2 * d;
    const double dscore = p.shape.scale * (mixed + (keys + queries + 4) * kUnit * 2 * d);
    // A distance collects at most one key of each query, in every sequence.
    const double pairs = static_cast<double>(p.shape.batch) * queries;
    dbias = pairs * (dscore / p.shape.scale + pairs * kUnit * 2 * d);
    dq = dscore * size;
    dk = dscore * size * queries;
    dv = (pattern + queries * kUnit) * queries;
  }
};

/// `span`: with a bias by distance.
inline void expect_match(const AttentionShape& shape, double size = 1, Index span = 0) {
  Problem<float> narrow(shape, size);
  Problem<double> wide(shape, size);
  if (span > 0) {
    narrow.add_bias(span);
    wide.add_bias(span);
  }
  narrow.run();
  wide.run();
  const Tolerance tolerance(narrow, size);
  const std::string what = " q " + std::to_string(shape.queries) + " k " +
                           std::to_string(shape.keys) + " d " + std::to_string(shape.d);
  for (Index i = 0; i < narrow.lse.rows; ++i)
    for (Index j = 0; j < narrow.lse.columns; ++j) {
      // −inf equals −inf; ASSERT_NEAR would subtract them.
      if (std::isinf(wide.lse(i, j)))
        ASSERT_EQ(narrow.lse(i, j), -std::numeric_limits<float>::infinity()) << what;
      else
        ASSERT_NEAR(narrow.lse(i, j), wide.lse(i, j), tolerance.lse) << what;
    }
  expect_within(narrow.z, wide.z, tolerance.z, "z" + what);
  expect_within(narrow.dq, wide.dq, tolerance.dq, "dq" + what);
  expect_within(narrow.dk, wide.dk, tolerance.dk, "dk" + what);
  expect_within(narrow.dv, wide.dv, tolerance.dv, "dv" + what);
  if (span > 0) expect_within(narrow.dbias, wide.dbias, tolerance.dbias, "dbias" + what);
}

inline AttentionShape shape_of(Index queries, Index keys, Index d) {
  return {.batch = 2,
          .heads = 3,
          .queries = queries,
          .keys = keys,
          .d = d,
          .scale = 1 / std::sqrt(static_cast<double>(d))};
}

}  // namespace heddle::kernels::testing
