// From queries, keys and values to what the heads read: fused where nobody watches and every part
// of a score can be told by distance, else step by step, and long inputs a few queries at a time.
#include <algorithm>

#include "heddle/nn/attention.hpp"
#include "heddle/ops/entmax.hpp"
#include "heddle/ops/log_n.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

/// Numbers of a score matrix that is made in one piece when nothing has to be kept.
constexpr Index kMostScores = Index{1} << 20;

/// Batch × queries × heads.
Index q_rows(const Tensor& q) {
  return q.size() / q.dim(3);
}

/// Rows first … first + count of each sequence.
Tensor rows_of(const Tensor& x, Index first, Index count) {
  const Index length = x.dim(1), width = x.dim(2) * x.dim(3);
  Tensor rows = Tensor::uninitialised({x.dim(0), count, x.dim(2), x.dim(3)}, x.dtype());
  dispatch(x.dtype(), [&]<class T>() {
    T* out = rows.write<T>();
    for (Index b = 0; b < x.dim(0); ++b)
      out = std::copy_n(x.data<T>() + (b * length + first) * width, count * width, out);
  });
  return rows;
}
void put_rows(const Tensor& rows, Index first, Tensor& x) {
  const Index length = x.dim(1), width = x.dim(2) * x.dim(3), count = rows.dim(1);
  dispatch(x.dtype(), [&]<class T>() {
    T* out = x.write<T>();
    for (Index b = 0; b < x.dim(0); ++b)
      std::copy_n(rows.data<T>() + b * count * width, count * width,
                  out + (b * length + first) * width);
  });
}

}  // namespace

/// The pattern exists only if somebody wants to see it, or if no fused operation makes do without.
Var Attention::attend(Run& run, const Var& q, const Var& k, const Var& v,
                      const AttentionMask& mask) const {
  Operands x{.q = q, .k = k, .v = v, .by_distance = {}};
  const Index keys = k.value.dim(1);
  if (relative_) {
    x.q = relative_->turn(q, mask.offset);
    const Index span = std::max(q.value.dim(1) + mask.offset, keys);
    if (relative_->has_table()) x.by_distance = relative_->table(run, span, q.value.dtype());
  }
  if (sizes_.normaliser == Normaliser::log_n) {
    const LogN seen{.mask = mask,
                    .keys = keys,
                    .heads = relative_ ? relative_->sees() : std::span<const VisibleSide>{}};
    x.q = scale_log_n(x.q, run.weight(log_n_), seen);
  }
  const bool fused = sizes_.normaliser != Normaliser::entmax &&
                     !(relative_ && relative_->has_dense()) && !run.watched({scores_, pattern_});
  if (fused) return run.tap(z_, attention(x.q, x.k, x.v, mask, x.bias()));
  return run.tap(z_, attend_plain(run, x, mask));
}

Var Attention::attend_plain(Run& run, const Operands& x, const AttentionMask& mask) const {
  const Index all = q_rows(x.q.value) * x.k.value.dim(1);
  if (all > kMostScores && !x.on_tape() && !run.watched({scores_, pattern_}))
    return attend_in_chunks(run, x, mask);
  const Var weights = pattern(run.tap(scores_, scores(run, x.q, x, mask)));
  return attention_mix(run.tap(pattern_, weights), x.v);
}

/// The same bits: no query depends on another.
Var Attention::attend_in_chunks(Run& run, const Operands& x, const AttentionMask& mask) const {
  const Index queries = x.q.value.dim(1);
  const Index per_query = q_rows(x.q.value) / queries * x.k.value.dim(1);
  const Index step = std::max(Index{1}, kMostScores / per_query);
  Tensor z = Tensor::uninitialised(x.q.value.shape(), x.q.value.dtype());
  for (Index first = 0; first < queries; first += step) {
    const Var q{rows_of(x.q.value, first, std::min(step, queries - first))};
    const AttentionMask here{mask.causal, mask.offset + first, mask.key_valid};
    put_rows(attention_mix(pattern(scores(run, q, x, here)), x.v).value, first, z);
  }
  return Var{z};
}

/// Of these queries alone, the first of them standing at the mask's offset.
Var Attention::scores(Run& run, const Var& q, const Operands& x, const AttentionMask& mask) const {
  Var plain = attention_scores(q, x.k, mask, x.bias());
  if (!relative_ || !relative_->has_dense()) return plain;
  const QueryRange range{.first = mask.offset, .count = q.value.dim(1), .keys = x.k.value.dim(1)};
  return add_scores(plain, relative_->dense(run, q, range));
}

Var Attention::pattern(const Var& scores) const {
  return sizes_.normaliser == Normaliser::entmax ? entmax15(scores) : attention_pattern(scores);
}

}  // namespace heddle
