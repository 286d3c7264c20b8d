// z = softmax(scale · q kᵀ + bias) v, head by head, a panel of queries at a time.
#include "heddle/kernels/cpu/attention_head.hpp"
#include "heddle/kernels/cpu/kernels.hpp"

namespace heddle::kernels::HEDDLE_ISA {
namespace {

constexpr Index kFewKeys = 64;

/// One head of one sequence.
struct Head {
  HeadRows k, v;
  const float* q;
  float* z;
  float* lse;
  const float* bias;
};

/// Scores [keys, queries] of vector v become the pattern, softmax(scale · scores + bias) over the
/// keys. Returns ln Σ exp(…); −inf, and a pattern of zeros, where a query sees nothing.
template <class Bias>
Vec softmax_keys(const Block& block, Index v, float scale, Bias bias, float* scores) {
  float* row = scores + v * kLanes;
  Vec top = splat(-kInfinity);
  for (Index j = block.from; j < block.most; ++j) {
    const Vec biased = bias(j, load(row + j * kPanelWidth) * scale);
    const Vec score = where_seen(block, v, j, biased, -kInfinity);
    store(row + j * kPanelWidth, score);
    top = larger(score, top);
  }
  if constexpr (Bias::kHides) top = finite_or_zero(top);
  Vec sum{};
  for (Index j = block.from; j < block.most; ++j) {
    const Vec p = where_seen(block, v, j, Bias::weight(load(row + j * kPanelWidth) - top), 0.0F);
    store(row + j * kPanelWidth, p);
    sum += p;
  }
  const VecInt sees_any = sum != 0.0F;
  const Vec share = choose(sees_any, 1.0F / sum, Vec{});
  for (Index j = block.from; j < block.most; ++j)
    store(row + j * kPanelWidth, load(row + j * kPanelWidth) * share);
  return choose(sees_any, top + log(sum), splat(-kInfinity));
}

void run_block(const RawAttentionForward& args, const Keys& keys, const Head& head,
               const Block& block, float* scratch) {
  const Index d = args.shape.d;
  float* panel = take(scratch, d * kPanelWidth);
  float* pattern = take(scratch, args.shape.keys * kPanelWidth);
  queries_panel(block, head.q + block.first * args.q.stride, args.q.stride, d, panel);
  against_queries(block, d, head.k, panel, pattern);
  for (Index v = 0; v < block.vecs; ++v) {
    const Index start = bias_start(args.shape, args.bias.span, block, v);
    const Vec lse =
        head.bias == nullptr
            ? softmax_keys(block, v, args.shape.scale, NoBias{}, pattern)
            : softmax_keys(block, v, args.shape.scale,
                           ByDistance{.row = head.bias + start, .at = keys.at}, pattern);
    if (head.lse)
      store_some(head.lse + block.first + v * kLanes, lse,
                 smaller(kLanes, block.rows - v * kLanes));
  }
  mix_keys(block, d, pattern, head.v, head.z + block.first * args.z.stride, args.z.stride);
}

// ── one query alone, as when an answer is written token by token ──

constexpr Index kHeadsAtOnce = 4;  // what one head waits for, another has time to do

/// q · k of at most Rows keys, one a lane, terms in order; the lanes beyond hold rubbish.
template <int Rows>
[[gnu::always_inline]] inline Vec score_lanes(const float* k, Index step, Index rows,
                                              const float* q, Index d) {
  Vec sum{};
  for (Index e = 0; e < d; e += kLanes) {
    Vec columns[kLanes];  // NOLINT(modernize-avoid-c-arrays): see tile.hpp
    load_columns<Rows>(k + e, step, rows, smaller(kLanes, d - e), columns);
#pragma GCC unroll 16
    for (int p = 0; p < kLanes; ++p)
      if (e + p < d) sum += splat(q[e + p]) * columns[p];
  }
  return sum;
}
/// The scores of the first `count` keys, in whole vectors.
void score_keys(const HeadRows& k, Index count, const float* q, Index d, float* scores) {
  for (Index j = 0; j < count; j += kLanes) {
    const float* rows = k.data + j * k.step;
    const Index left = smaller(kLanes, count - j);
    store(scores + j, left <= kLanes / 2 ? score_lanes<int{kLanes / 2}>(rows, k.step, left, q, d)
                                         : score_lanes<int{kLanes}>(rows, k.step, left, q, d));
  }
}

/// The scores of some heads [heads, keys], `whole` numbers a row, become patterns, and lse (unless
/// null) ln Σ exp(…). Every number passes the same operations in the same order as in softmax_keys,
/// so that it has the same bits.
void softmax_rows(Index heads, Index count, Index whole, float scale, float* scores, float* lse) {
  // NOLINTNEXTLINE(modernize-avoid-c-arrays): see tile.hpp
  float top[kHeadsAtOnce], sum[kHeadsAtOnce];
  for (Index h = 0; h < heads; ++h) {
    float* row = scores + h * whole;
    Vec tops = splat(-kInfinity);
    for (Index j = 0; j < whole; j += kLanes) {
      const VecInt seen = lane_numbers() < static_cast<std::int32_t>(count - j);
      const Vec score = choose(seen, load(row + j) * scale, splat(-kInfinity));
      store(row + j, score);
      tops = larger(score, tops);
    }
    top[h] = max_lanes(tops);
  }
  for (Index h = 0; h < heads; ++h)
    for (Index j = h * whole; j < (h + 1) * whole; j += kLanes)
      store(scores + j, exp(load(scores + j) - top[h]));
  for (Index h = 0; h < heads; ++h) {
    sum[h] = 0;
    for (Index j = 0; j < count; ++j) sum[h] += scores[h * whole + j];
  }
  for (Index h = 0; h < heads; ++h) {
    const float share = sum[h] != 0.0F ? 1.0F / sum[h] : 0.0F;
    for (Index j = h * whole; j < (h + 1) * whole; j += kLanes)
      store(scores + j, load(scores + j) * share);
    if (lse) lse[h] = sum[h] != 0.0F ? (top[h] + log(splat(sum[h])))[0] : -kInfinity;
  }
}

/// Heads [first, first + heads) of sequence b. Against a single query keys are the lanes: else all
/// lanes but one would be idle.
void run_one_query(const RawAttentionForward& args, const Keys& keys, Index b, Index first,
                   Index heads, float* scratch) {
  const RawAttentionShape& shape = args.shape;
  const Index d = shape.d, seen = count_visible(shape, keys, 0), whole = round_up(seen, kLanes);
  const std::int32_t* at = keys.all ? nullptr : keys.at;
  float* copy = take(scratch, shape.keys * round_up(d, kPanelWidth));
  float* patterns = take(scratch, kHeadsAtOnce * whole);
  const auto rows_of = [&](RawConstRows all, Index h) {
    return operand(all.data + b * shape.keys * all.stride + (first + h) * d, all.stride, at, seen,
                   d, copy);
  };
  for (Index h = 0; h < heads; ++h)
    score_keys(rows_of(args.k, h), seen, args.q.data + b * args.q.stride + (first + h) * d, d,
               patterns + h * whole);
  softmax_rows(heads, seen, whole, shape.scale, patterns,
               args.lse ? args.lse + b * shape.heads + first : nullptr);
  for (Index h = 0; h < heads; ++h) {
    const HeadRows v = rows_of(args.v, h);
    multiply({.rows = 1,
              .columns = d,
              .depth = seen,
              .a = patterns + h * whole,
              .a_row = 0,
              .a_step = 1,
              .b = v.data,
              .b_step = v.step,
              .b_vec = kLanes,
              .c = args.z.data + b * args.z.stride + (first + h) * d,
              .c_row = 0,
              .accumulate = false});
  }
}

void run_head(const RawAttentionForward& args, const Keys& keys, Index b, Index h, float* scratch) {
  const RawAttentionShape& shape = args.shape;
  const Index wide_d = round_up(shape.d, kPanelWidth);
  const Index key = b * shape.keys;
  const Index query = b * shape.queries;
  const std::int32_t* at = keys.all ? nullptr : keys.at;
  const float* k = args.k.data + key * args.k.stride + h * shape.d;
  const float* v = args.v.data + key * args.v.stride + h * shape.d;
  const Head head{
      .k = operand(k, args.k.stride, at, keys.count, shape.d, take(scratch, shape.keys * wide_d)),
      .v = operand(v, args.v.stride, at, keys.count, shape.d, take(scratch, shape.keys * wide_d)),
      .q = args.q.data + query * args.q.stride + h * shape.d,
      .z = args.z.data + query * args.z.stride + h * shape.d,
      .lse = args.lse ? args.lse + (b * shape.heads + h) * shape.queries : nullptr,
      .bias = args.bias.table ? bias_row(args.bias, h, take(scratch, bias_width(args.bias.span)))
                              : nullptr};
  Reach reach{.nearest = 0, .farthest = 0, .bounded = false};
  // Every query must have its own place among the keys, and a few keys are not worth the search.
  if (head.bias && keys.all && shape.queries + shape.offset <= shape.keys && shape.keys > kFewKeys)
    reach = find_reach(
        head.bias, args.bias.span,
        shape.scale *
            __builtin_sqrtf(largest_square(head.q, args.q.stride, shape.queries, shape.d) *
                            largest_square(k, args.k.stride, shape.keys, shape.d)));
  Block block;
  for (Index first = 0; first < shape.queries; first += kPanelWidth) {
    set_block(shape, keys, first, block);
    narrow(reach, shape.offset, block);
    run_block(args, keys, head, block, scratch);
  }
}

}  // namespace

std::ptrdiff_t attention_scratch(std::ptrdiff_t keys, std::ptrdiff_t d, std::ptrdiff_t span) {
  return head_scratch(keys, d, span);
}

void attention_forward(const RawAttentionForward& args) {
  float* scratch = args.scratch;
  auto* at = reinterpret_cast<std::int32_t*>(take(scratch, args.shape.keys));
  for (Index b = 0; b < args.shape.batch; ++b) {
    const Keys keys = find_keys(args.shape, b, at);
    if (args.shape.queries == 1 && !args.bias.table)
      for (Index h = 0; h < args.shape.heads; h += kHeadsAtOnce)
        run_one_query(args, keys, b, h, smaller(kHeadsAtOnce, args.shape.heads - h), scratch);
    else
      for (Index h = 0; h < args.shape.heads; ++h) run_head(args, keys, b, h, scratch);
  }
}

}  // namespace heddle::kernels::HEDDLE_ISA
