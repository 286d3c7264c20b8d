// The backward pass of attention. With P = exp(scale · q kᵀ + bias − lse), found again panel by
// panel:
//   dv = Pᵀ dz;  dP = dz vᵀ;  D_i = Σ_j P_ij dP_ij;
//   dS = scale · P ∘ (dP − D);  dq = dS k;  dk = dSᵀ q;
//   dbias of a distance = Σ P ∘ (dP − D) over the pairs that far apart.
#include "heddle/kernels/cpu/attention_head.hpp"
#include "heddle/kernels/cpu/kernels.hpp"

namespace heddle::kernels::HEDDLE_ISA {
namespace {

/// One head of one sequence.
struct Head {
  HeadRows k, v;
  const float *q, *dz, *lse;
  float* dq;
  RawRows dk, dv;  ///< [keys.count, d]
  const float* bias;
  float* dbias;  ///< as wide as bias_width says
};

/// One vector of queries: scores [keys, queries] become the pattern, and dP becomes dS.
struct Columns {
  Vec lse;
  Index v;
  float *scores, *dp;
  float scale;
};

void pattern_backward(const Block& block, const Columns& at) {
  const Index v = at.v;
  const float scale = at.scale;
  float* p_row = at.scores + v * kLanes;
  float* d_row = at.dp + v * kLanes;
  Vec mean{};
  for (Index j = 0; j < block.most; ++j) {
    const Vec p =
        where_seen(block, v, j, exp(load(p_row + j * kPanelWidth) * scale - at.lse), 0.0F);
    store(p_row + j * kPanelWidth, p);
    mean += p * load(d_row + j * kPanelWidth);
  }
  for (Index j = 0; j < block.most; ++j) {
    const Vec p = load(p_row + j * kPanelWidth) * scale;
    store(d_row + j * kPanelWidth, p * (load(d_row + j * kPanelWidth) - mean));
  }
}

/// The same with a bias, whose gradient is added to dbias: there, too, the queries of a vector
/// stand side by side. Lanes that are no query (outside `live`) would be somebody's distance as
/// well.
void pattern_backward(const Block& block, const Columns& at, ByDistance bias, VecInt live,
                      float* dbias) {
  float* p_row = at.scores + at.v * kLanes;
  float* d_row = at.dp + at.v * kLanes;
  const Vec lse = finite_or_zero(at.lse);
  Vec mean{};
  for (Index j = 0; j < block.most; ++j) {
    const Vec score = bias(j, load(p_row + j * kPanelWidth) * at.scale);
    const Vec p = where_seen(block, at.v, j, exp_or_zero(score - lse), 0.0F);
    store(p_row + j * kPanelWidth, p);
    mean += p * load(d_row + j * kPanelWidth);
  }
  for (Index j = 0; j < block.most; ++j) {
    const Vec ds = load(p_row + j * kPanelWidth) * (load(d_row + j * kPanelWidth) - mean);
    store(d_row + j * kPanelWidth, ds * at.scale);
    float* to = dbias - bias.at[j];
    store(to, load(to) + choose(live, ds, Vec{}));
  }
}

void pattern_backward(const RawAttentionBackward& args, const Keys& keys, const Head& head,
                      const Block& block, const Columns& at) {
  if (head.bias == nullptr) return pattern_backward(block, at);
  const Index start = bias_start(args.shape, args.bias.span, block, at.v);
  const auto lanes = static_cast<std::int32_t>(block.rows - at.v * kLanes);
  pattern_backward(block, at, {.row = head.bias + start, .at = keys.at}, lane_numbers() < lanes,
                   head.dbias + start);
}

/// to [keys, d] (+)= pattern [keys, queries] · rows [queries, d].
void add_to_keys(const Block& block, Index d, const float* pattern, const HeadRows& rows,
                 bool accumulate, RawRows to) {
  multiply({.rows = block.most,
            .columns = d,
            .depth = block.rows,
            .a = pattern,
            .a_row = kPanelWidth,
            .a_step = 1,
            .b = rows.data,
            .b_step = rows.step,
            .b_vec = kLanes,
            .c = to.data,
            .c_row = to.stride,
            .accumulate = accumulate});
}

/// `accumulate`: dk and dv hold numbers already.
void run_block(const RawAttentionBackward& args, const Keys& keys, const Head& head,
               const Block& block, bool accumulate, float* scratch) {
  const Index d = args.shape.d;
  const Index wide_d = round_up(d, kPanelWidth);
  const float* q = head.q + block.first * args.q.stride;
  const float* dz = head.dz + block.first * args.dz.stride;
  float* panel = take(scratch, d * kPanelWidth);
  float* pattern = take(scratch, args.shape.keys * kPanelWidth);
  float* dscores = take(scratch, args.shape.keys * kPanelWidth);
  queries_panel(block, q, args.q.stride, d, panel);
  against_queries(block, d, head.k, panel, pattern);
  queries_panel(block, dz, args.dz.stride, d, panel);
  against_queries(block, d, head.v, panel, dscores);
  for (Index v = 0; v < block.vecs; ++v) {
    const Index lanes = smaller(kLanes, block.rows - v * kLanes);
    const Vec lse = load_some(head.lse + block.first + v * kLanes, lanes);
    pattern_backward(
        args, keys, head, block,
        {.lse = lse, .v = v, .scores = pattern, .dp = dscores, .scale = args.shape.scale});
  }
  mix_keys(block, d, dscores, head.k, head.dq + block.first * args.dq.stride, args.dq.stride);
  float* copy = take(scratch, kPanelWidth * wide_d);
  const HeadRows q_rows = operand(q, args.q.stride, nullptr, block.rows, d, copy);
  add_to_keys(block, d, dscores, q_rows, accumulate, head.dk);
  const HeadRows dz_rows = operand(dz, args.dz.stride, nullptr, block.rows, d, copy);
  add_to_keys(block, d, pattern, dz_rows, accumulate, head.dv);
}

void clear_rows(RawRows rows, Index count, Index d) {
  for (Index j = 0; j < count; ++j)
    for_each_vec(d, [&](Index e, Index lanes) {
      store_some(rows.data + j * rows.stride + e, Vec{}, lanes);
    });
}

/// Every key's gradient to its place; padding gets zeros.
void scatter(const Keys& keys, Index all, Index d, RawRows from, RawRows to) {
  clear_rows(to, all, d);
  for (Index j = 0; j < keys.count; ++j)
    for_each_vec(d, [&](Index e, Index lanes) {
      store_some(to.data + keys.at[j] * to.stride + e,
                 load_some(from.data + j * from.stride + e, lanes), lanes);
    });
}

void run_blocks(const RawAttentionBackward& args, const Keys& keys, const Head& head,
                float* scratch) {
  Block block;
  set_block(args.shape, keys, 0, block);
  const bool fresh = block.most == keys.count;  // the first panel reaches every key
  if (!fresh) {
    clear_rows(head.dk, keys.count, args.shape.d);
    clear_rows(head.dv, keys.count, args.shape.d);
  }
  for (Index first = 0; first < args.shape.queries; first += kPanelWidth) {
    set_block(args.shape, keys, first, block);
    run_block(args, keys, head, block, first > 0 || !fresh, scratch);
  }
}

void add_bias_row(const RawAttentionBackward& args, Index h, const float* from) {
  const Index width = 2 * args.bias.span - 1;
  float* to = args.dbias + h * width;
  for_each_vec(width, [&](Index i, Index lanes) {
    store_some(to + i, load_some(to + i, lanes) + load_some(from + i, lanes), lanes);
  });
}

void run_head(const RawAttentionBackward& args, const Keys& keys, Index b, Index h,
              float* scratch) {
  const RawAttentionShape& shape = args.shape;
  const Index d = shape.d;
  const Index wide_d = round_up(d, kPanelWidth);
  const Index key = b * shape.keys;
  const Index query = b * shape.queries;
  const std::int32_t* at = keys.all ? nullptr : keys.at;
  const float* k = args.k.data + key * args.k.stride + h * d;
  const float* v = args.v.data + key * args.v.stride + h * d;
  const RawRows dk{.data = args.dk.data + key * args.dk.stride + h * d, .stride = args.dk.stride};
  const RawRows dv{.data = args.dv.data + key * args.dv.stride + h * d, .stride = args.dv.stride};
  float* k_copy = take(scratch, shape.keys * wide_d);
  float* v_copy = take(scratch, shape.keys * wide_d);
  float* dk_copy = take(scratch, shape.keys * wide_d);
  float* dv_copy = take(scratch, shape.keys * wide_d);
  const Index width = args.bias.table ? bias_width(args.bias.span) : 0;
  float* bias_copy = take(scratch, width);
  float* dbias = take(scratch, width);
  for (Index i = 0; i < width; ++i) dbias[i] = 0;
  const Head head{.k = operand(k, args.k.stride, at, keys.count, d, k_copy),
                  .v = operand(v, args.v.stride, at, keys.count, d, v_copy),
                  .q = args.q.data + query * args.q.stride + h * d,
                  .dz = args.dz.data + query * args.dz.stride + h * d,
                  .lse = args.lse + (b * shape.heads + h) * shape.queries,
                  .dq = args.dq.data + query * args.dq.stride + h * d,
                  .dk = keys.all ? dk : RawRows{.data = dk_copy, .stride = wide_d},
                  .dv = keys.all ? dv : RawRows{.data = dv_copy, .stride = wide_d},
                  .bias = width > 0 ? bias_row(args.bias, h, bias_copy) : nullptr,
                  .dbias = dbias};
  run_blocks(args, keys, head, scratch);
  if (width > 0) add_bias_row(args, h, dbias);
  if (keys.all) return;
  scatter(keys, shape.keys, d, head.dk, dk);
  scatter(keys, shape.keys, d, head.dv, dv);
}

}  // namespace

void attention_backward(const RawAttentionBackward& args) {
  if (args.bias.table)
    for (Index i = 0; i < args.shape.heads * (2 * args.bias.span - 1); ++i) args.dbias[i] = 0;
  float* scratch = args.scratch;
  auto* at = reinterpret_cast<std::int32_t*>(take(scratch, args.shape.keys));
  for (Index b = 0; b < args.shape.batch; ++b) {
    const Keys keys = find_keys(args.shape, b, at);
    for (Index h = 0; h < args.shape.heads; ++h) run_head(args, keys, b, h, scratch);
  }
}

}  // namespace heddle::kernels::HEDDLE_ISA
