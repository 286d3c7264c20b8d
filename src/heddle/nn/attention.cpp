// See attention.hpp.
#include "heddle/nn/attention.hpp"

#include <cmath>

#include "heddle/ops/arithmetic.hpp"

namespace heddle {

Attention::Attention(const Builder& at, const AttentionSizes& sizes) : sizes_(sizes) {
  const TapId first = at.next_tap();
  if (sizes.heads > 0) add_heads(at);
  b_o_ = at.vector("b_o", sizes.d_model, {});
  if (sizes.heads > 0) result_ = at.tap("result", axes::kHeads, {sizes.heads, sizes.d_model});
  out_ = at.tap("out", axes::kStream, {sizes.d_model});
  const AttentionKind own = sizes.causal ? AttentionKind::causal_self : AttentionKind::self;
  at.heads({.module = {},
            .heads = sizes.heads,
            .kind = sizes.keys != Stream::none ? AttentionKind::cross : own,
            .queries = at.stream(),
            .keys = keys_of(at),
            .first_tap = first,
            .scores = scores_,
            .pattern = pattern_,
            .z = z_});
}

Stream Attention::keys_of(const Builder& at) const {
  return sizes_.keys != Stream::none ? sizes_.keys : at.stream();
}

/// Everything that a head has a slice of, but its result.
void Attention::add_heads(const Builder& at) {
  const Index d = sizes_.d_model, width = sizes_.heads * sizes_.d_head;
  const Init in{.mean = 0, .deviation = 1 / std::sqrt(static_cast<double>(d))};
  w_q_ = at.matrix("w_q", d, width, in);
  b_q_ = at.vector("b_q", width, {});
  w_k_ = at.matrix("w_k", d, width, in);
  w_v_ = at.matrix("w_v", d, width, in);
  b_v_ = at.vector("b_v", width, {});
  q_ = at.tap("q", axes::kHeads, {sizes_.heads, sizes_.d_head});
  const Builder keys = at.in(keys_of(at));
  k_ = keys.tap("k", axes::kHeads, {sizes_.heads, sizes_.d_head});
  v_ = keys.tap("v", axes::kHeads, {sizes_.heads, sizes_.d_head});
  RelativeSizes relative = sizes_.relative_sizes;
  relative.heads = sizes_.heads;
  relative.d_head = sizes_.d_head;
  relative_ = make_relative(sizes_.relative, relative, at);
  if (sizes_.normaliser == Normaliser::log_n)
    log_n_ = at.vector("log_n", sizes_.heads, {.mean = 1 / std::log(12.0), .deviation = 0});
  scores_ = at.tap("scores", axes::kPattern, {0, 0});
  pattern_ = at.tap("pattern", axes::kPattern, {0, 0});
  z_ = at.tap("z", axes::kHeads, {sizes_.heads, sizes_.d_head});
  w_o_ = at.matrix("w_o", width, d, {.mean = 0, .deviation = sizes_.deviation_out});
}

/// What is left without heads.
Var Attention::constant(Run& run, const AttentionInput& in) const {
  const Var out = run.tap(out_, repeat_row(run.weight(b_o_), in.queries.value.shape()));
  return in.residual != nullptr ? add(*in.residual, out) : out;
}

Var Attention::project(Run& run, const Var& x, const Lookup* lookup, WeightId w,
                       const WeightId* bias) const {
  Var y = linear(x, run.matrix(w), {.bias = bias != nullptr ? &run.weight(*bias) : nullptr});
  if (lookup != nullptr) y = lookup->spread(y);
  return reshape(y, {y.value.dim(0), y.value.dim(1), sizes_.heads, sizes_.d_head});
}

Var Attention::forward(Run& run, const AttentionInput& in) const {
  if (sizes_.heads == 0) return constant(run, in);
  const Var q = run.tap(q_, project(run, in.queries, in.lookup, w_q_, &b_q_));
  if (in.cache != nullptr) {
    fill_cache(run, in);
    // Rows of a self-attention's cache past this position are not filled yet: the mask hides them.
    const AttentionMask mask{sizes_.causal, run.offset(), in.key_valid};
    const Var z = attend(run, q, Var{in.cache->k}, Var{in.cache->v}, mask);
    return write_back(run, z, in.residual);
  }
  const Var k = project_keys(run, in, 0);
  const Var v = run.tap(v_, project(run, in.keys, in.lookup, w_v_, &b_v_), 0);
  const Var z = attend(run, q, k, v, {sizes_.causal, 0, in.key_valid});
  return write_back(run, z, in.residual);
}

Var Attention::project_keys(Run& run, const AttentionInput& in, Index offset) const {
  const Var k = run.tap(k_, project(run, in.keys, in.lookup, w_k_, nullptr), offset);
  return relative_ ? relative_->turn(k, offset) : k;
}

/// Self-attention: adds this position's key and value. Cross-attention: projects the memory once.
void Attention::fill_cache(Run& run, const AttentionInput& in) const {
  KeyValues& cache = *in.cache;
  if (!sizes_.causal && !cache.k.empty()) return;
  const Index offset = sizes_.causal ? run.offset() : 0;
  const Tensor k = project_keys(run, in, offset).value;
  const Tensor v = run.tap(v_, project(run, in.keys, in.lookup, w_v_, &b_v_), offset).value;
  if (!sizes_.causal) {
    cache = {k, v};
    return;
  }
  const Index width = sizes_.heads * sizes_.d_head;
  const Index batch = k.dim(0), rows = k.dim(1), capacity = cache.k.dim(1);
  check<ShapeError>(offset + rows <= capacity, "cached decoding: position {} of a cache of {}",
                    offset + rows - 1, capacity);
  for (Index b = 0; b < batch; ++b) {
    const Index to = (b * capacity + offset) * width, from = b * rows * width;
    std::copy_n(k.data<float>() + from, rows * width, cache.k.write_shared<float>() + to);
    std::copy_n(v.data<float>() + from, rows * width, cache.v.write_shared<float>() + to);
  }
}

Var Attention::write_back(Run& run, const Var& z, const Var* residual) const {
  if (run.watched({result_})) {
    const Var result = run.tap(result_, head_results(z, run.weight(w_o_)));
    const Var out = run.tap(out_, sum_heads(result, run.weight(b_o_)));
    return residual != nullptr ? add(*residual, out) : out;
  }
  const Var merged = reshape(z, {z.value.dim(0), z.value.dim(1), sizes_.heads * sizes_.d_head});
  const bool fuse = !run.watched({out_});
  Var out = linear(merged, run.matrix(w_o_),
                   {.bias = &run.weight(b_o_), .residual = fuse ? residual : nullptr});
  if (fuse) return out;
  out = run.tap(out_, std::move(out));
  return residual != nullptr ? add(*residual, out) : out;
}

}  // namespace heddle
