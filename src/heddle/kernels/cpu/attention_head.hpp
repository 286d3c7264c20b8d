// What attention's forward and backward pass share. The lanes of a vector are queries: one panel of
// them at a time, against all keys one after another. So the softmax over keys is a loop that never
// looks across lanes, scores of any length take keys × kPanelWidth numbers, and a query's bits do
// not depend on who is computed beside it.
#pragma once

#include "heddle/kernels/cpu/math.hpp"
#include "heddle/kernels/cpu/pack.hpp"
#include "heddle/kernels/table.hpp"

namespace heddle::kernels::HEDDLE_ISA {
namespace {

constexpr Index kPanelWidth = 2 * kLanes;  // queries of a panel

/// Cuts pieces off the scratch memory, each starting on a cache line.
inline float* take(float*& scratch, Index count) {
  float* taken = scratch;
  scratch += round_up(count, 16);
  return taken;
}

// ── keys ──

/// The keys of one sequence that are no padding: key j is row at[j]. Padding is left out here,
/// once, so that no later loop meets it.
struct Keys {
  const std::int32_t* at;
  Index count;
  bool all;  ///< nothing was left out: at[j] = j
};
inline Keys find_keys(const RawAttentionShape& shape, Index b, std::int32_t* at) {
  Index count = 0;
  for (Index j = 0; j < shape.keys; ++j)
    if (!shape.key_valid || shape.key_valid[b * shape.keys + j] != 0)
      at[count++] = static_cast<std::int32_t>(j);
  return {.at = at, .count = count, .all = count == shape.keys};
}

/// Rows of d numbers, `step` apart.
struct HeadRows {
  const float* data;
  Index step;
};
/// Rows as the micro-kernel reads a right-hand operand: in place where that may read whole vectors,
/// else copied and filled up with zeros. `at` chooses rows (null: all).
inline HeadRows operand(const float* from, Index stride, const std::int32_t* at, Index count,
                        Index d, float* copy) {
  if (at == nullptr && d % kLanes == 0) return {.data = from, .step = stride};
  const Index step = round_up(d, kPanelWidth);
  for (Index j = 0; j < count; ++j) {
    const float* row = from + (at ? at[j] : j) * stride;
    for_each_vec(
        d, [&](Index e, Index lanes) { store(copy + j * step + e, load_some(row + e, lanes)); });
    if (step > round_up(d, kLanes)) store(copy + (j + 1) * step - kLanes, Vec{});
  }
  return {.data = copy, .step = step};
}

// ── queries ──

/// A panel of queries: `rows` of them from number `first` on, in `vecs` vectors.
struct Block {
  Index first, rows, vecs;
  Index least, most;  ///< the fewest and the most keys that any of them sees
  // NOLINTNEXTLINE(modernize-avoid-c-arrays): see tile.hpp
  std::int32_t counts[kPanelWidth];  ///< how many keys each sees: the first so many
  Index from;                        ///< keys before this one weigh nothing for any of them
};

inline Index count_visible(const RawAttentionShape& shape, const Keys& keys, Index query) {
  if (!shape.causal) return keys.count;
  const Index limit = query + shape.offset;
  if (keys.all) return limit < 0 ? 0 : smaller(keys.count, limit + 1);
  Index count = 0;
  while (count < keys.count && keys.at[count] <= limit) ++count;
  return count;
}
inline void set_block(const RawAttentionShape& shape, const Keys& keys, Index first, Block& block) {
  block.first = first;
  block.rows = smaller(kPanelWidth, shape.queries - first);
  block.vecs = block.rows > kLanes ? 2 : 1;
  block.least = count_visible(shape, keys, first);
  block.most = count_visible(shape, keys, first + block.rows - 1);  // the last one sees most
  block.from = 0;
  if (block.least == block.most) return;  // then nobody asks for the counts
  for (Index i = 0; i < kPanelWidth; ++i)
    block.counts[i] =
        static_cast<std::int32_t>(count_visible(shape, keys, first + smaller(i, block.rows - 1)));
}

/// `value` for the queries of vector v that see key j, `other` for those that do not.
inline Vec where_seen(const Block& block, Index v, Index j, Vec value, float other) {
  if (j < block.least) return value;
  VecInt counts;
  __builtin_memcpy(&counts, block.counts + v * kLanes, sizeof counts);
  return choose(counts > static_cast<std::int32_t>(j), value, splat(other));
}

/// out [keys, queries] = left [keys, d] · (the panel of queries, transposed).
inline void against_queries(const Block& block, Index d, const HeadRows& left, const float* panel,
                            float* out) {
  multiply({.rows = block.most - block.from,
            .columns = block.vecs * kLanes,
            .depth = d,
            .a = left.data + block.from * left.step,
            .a_row = left.step,
            .a_step = 1,
            .b = panel,
            .b_step = kPanelWidth,
            .b_vec = kLanes,
            .c = out + block.from * kPanelWidth,
            .c_row = kPanelWidth,
            .accumulate = false});
}
/// out [queries, d] = patternᵀ [queries, keys] · right [keys, d].
inline void mix_keys(const Block& block, Index d, const float* pattern, const HeadRows& right,
                     float* out, Index out_row) {
  multiply({.rows = block.rows,
            .columns = d,
            .depth = block.most - block.from,
            .a = pattern + block.from * kPanelWidth,
            .a_row = 1,
            .a_step = kPanelWidth,
            .b = right.data + block.from * right.step,
            .b_step = right.step,
            .b_vec = kLanes,
            .c = out,
            .c_row = out_row,
            .accumulate = false});
}
/// The queries' rows, transposed into a panel.
inline void queries_panel(const Block& block, const float* from, Index stride, Index d, float* to) {
  for (Index e = 0; e < d; e += kLanes) {
    const Index depth = smaller(kLanes, d - e);
    if (block.rows <= kLanes / 2) {
      transpose_half_block(from + e, stride, block.rows, depth, to + e * kPanelWidth, kPanelWidth);
      continue;
    }
    for (Index i = 0; i < block.rows; i += kLanes)
      transpose_block(from + i * stride + e, stride, smaller(kLanes, block.rows - i), depth,
                      to + e * kPanelWidth + i, kPanelWidth);
  }
}

// ── a bias by distance ──

/// One head's row of the table, copied so that whole vectors may be read at its end: the lanes past
/// the last query. `span` 0: there is none.
inline Index bias_width(Index span) {
  return span == 0 ? 0 : 2 * span - 1 + kPanelWidth;
}
inline const float* bias_row(RawDistanceBias bias, Index h, float* copy) {
  const Index width = 2 * bias.span - 1;
  for_each_vec(width, [&](Index at, Index lanes) {
    store(copy + at, load_some(bias.table + h * width + at, lanes));
  });
  for (Index at = width; at < bias_width(bias.span); ++at) copy[at] = 0;
  return copy;
}

/// eˣ, and exactly 0 below e⁻⁸⁷: what a bias holds far away would else be a denormal number, and
/// the processor takes a hundred times as long for those.
inline Vec exp_or_zero(Vec x) {
  const VecInt far = x < -87.0F;
  return choose(far, Vec{}, exp(choose(far, Vec{}, x)));
}

/// What is added to the scores of one vector of queries. Neighbouring queries have neighbouring
/// distances from a key, so that it is one load.
struct NoBias {
  static constexpr bool kHides = false;
  Vec operator()(Index /*j*/, Vec score) const { return score; }
  static Vec weight(Vec x) { return exp(x); }
};
struct ByDistance {
  static constexpr bool kHides = true;  // where it is −inf
  const float* row;                     ///< the distance of the first query from key 0
  const std::int32_t* at;
  Vec operator()(Index j, Vec score) const { return score + load(row - at[j]); }
  static Vec weight(Vec x) { return exp_or_zero(x); }
};
/// Where in a head's row the distance of vector v's first query from key 0 stands.
inline Index bias_start(const RawAttentionShape& shape, Index span, const Block& block, Index v) {
  return block.first + v * kLanes + shape.offset + span - 1;
}

/// The distances at which a key can weigh anything. A score is at most bias + r, r = scale · the
/// largest |q| · the largest |k|, and the largest one of a query is at least bias(0) − r, that of
/// its own place. So a bias below bias(0) − 2r − 88 leaves a weight that exp_or_zero makes exactly
/// 0: leaving such keys out changes no bit.
struct Reach {
  Index nearest, farthest;  ///< least and greatest Δ = query − key
  bool bounded;             ///< otherwise every key is looked at
};
inline float largest_square(const float* rows, Index stride, Index count, Index d) {
  float most = 0;
  for (Index i = 0; i < count; ++i) {
    float sum = 0;
    for (Index e = 0; e < d; ++e) sum += rows[i * stride + e] * rows[i * stride + e];
    most = sum > most ? sum : most;
  }
  return most;
}
inline Reach find_reach(const float* bias, Index span, float radius) {
  constexpr float kNothing = 88;
  const float cut = bias[span - 1] - 2 * radius - kNothing;
  Reach reach{.nearest = 1 - span, .farthest = span - 1, .bounded = cut > -kInfinity};
  if (!reach.bounded) return reach;
  while (reach.nearest < 0 && bias[reach.nearest + span - 1] < cut) ++reach.nearest;
  while (reach.farthest > 0 && bias[reach.farthest + span - 1] < cut) --reach.farthest;
  return reach;
}
/// Leaves out the keys that are too far from every query of the block.
inline void narrow(const Reach& reach, Index offset, Block& block) {
  if (!reach.bounded) return;
  const Index first = block.first + offset - reach.farthest;
  const Index last = block.first + block.rows - 1 + offset - reach.nearest;
  block.from = first < 0 ? 0 : smaller(first, block.most);
  block.most = smaller(block.most, last + 1);
  block.least = smaller(block.least, block.most);
}

/// −inf becomes 0: where nothing is seen, exp(−inf − 0) is 0, and exp(−inf + inf) would not be.
inline Vec finite_or_zero(Vec top) {
  return choose(top == -kInfinity, Vec{}, top);
}

/// Numbers of scratch memory for one head.
inline Index head_scratch(Index keys, Index d, Index span) {
  const Index wide_d = round_up(d, kPanelWidth);
  return keys + 4 * keys * wide_d + 2 * kPanelWidth * (keys + d + wide_d) + 2 * bias_width(span) +
         Index{16} * 18;
}

}  // namespace
}  // namespace heddle::kernels::HEDDLE_ISA
