// See pooling.hpp.
#include "heddle/nn/pooling.hpp"

#include <cmath>

#include "heddle/ops/arithmetic.hpp"
#include "heddle/ops/pooling/pool_attention.hpp"
#include "heddle/ops/pooling/pool_verdicts.hpp"

namespace heddle {
namespace {

/// Numbers at the start that leave a product as large as what goes in.
Init uniform_init(Index inputs) {
  return {.mean = 0, .deviation = 1 / std::sqrt(static_cast<double>(inputs))};
}

}  // namespace

bool reads_order(PoolingKind kind) {
  return kind == PoolingKind::multi;
}

bool symmetric(PoolingKind kind) {
  return !reads_order(kind);
}

bool judges_tokens(PoolingKind kind) {
  return kind == PoolingKind::noisy_or || kind == PoolingKind::token_max ||
         kind == PoolingKind::lse;
}

ClassifierHead::ClassifierHead(const Builder& at, const ClassifierHeadSizes& sizes)
    : sizes_(sizes) {
  // Most tokens of most sequences are in order: they start by saying so, e^−3 ≈ 5 % doubt each.
  constexpr double kQuiet = -3;
  const bool tokens = judges_tokens(sizes.kind);
  check<UsageError>(!tokens || sizes.classes == 2,
                    "classifier head: verdicts by token have 2 classes, got {}", sizes.classes);
  const Index width =
      sizes.kind == PoolingKind::multi ? kMultiSummaries * sizes.d_model : sizes.d_model;
  if (sizes.kind == PoolingKind::attention) add_attention(at);
  if (!tokens) pooled_ = at.tap("pooled", axes::kSummary, {width});
  w_in_ = at.matrix("w_in", width, sizes.hidden, uniform_init(width));
  b_in_ = at.vector("b_in", sizes.hidden, {});
  hidden_ = at.tap("hidden", tokens ? axes::kStream : axes::kSummary, {sizes.hidden});
  const Index outputs = tokens ? 1 : sizes.classes;
  w_out_ = at.matrix("w_out", sizes.hidden, outputs, uniform_init(sizes.hidden));
  b_out_ = at.vector("b_out", outputs, {.mean = tokens ? kQuiet : 0});
  if (tokens) violation_ = at.tap("violation", axes::kTokens, {});
}

/// A score is a product with the head's query; a value is a projection. What a query has in common
/// over all tokens is the sink's business.
void ClassifierHead::add_attention(const Builder& at) {
  const Index d = sizes_.d_model, heads = sizes_.heads;
  check<UsageError>(heads > 0 && d % heads == 0,
                    "classifier head: {} heads cannot share a width of {}", heads, d);
  constexpr double kUsualLength = 12;  // where sharpening starts as a factor of 1
  query_ = at.matrix("query", d, heads, uniform_init(d));
  scores_ = at.tap("scores", axes::kTokenHeads, {heads});
  sink_ = at.vector("sink", heads, {});
  sharpness_ = at.vector("sharpness", heads, {.mean = 1 / std::log(kUsualLength)});
  pattern_ = at.tap("pattern", axes::kHeadTokens, {heads, 0});
  w_v_ = at.matrix("w_v", d, d, uniform_init(d));
  b_v_ = at.vector("b_v", d, {});
  v_ = at.tap("v", axes::kHeads, {heads, d / heads});
}

Var ClassifierHead::forward(Run& run, const Var& x, const std::uint8_t* valid,
                            Index summary) const {
  if (!judges_tokens(sizes_.kind))
    return judged(run, run.tap(pooled_, pooled(run, x, valid, summary)));
  const Shape tokens{x.value.dim(0), x.value.dim(1)};
  return verdict(run.tap(violation_, reshape(judged(run, x), tokens)), valid);
}

Var ClassifierHead::pooled(Run& run, const Var& x, const std::uint8_t* valid, Index summary) const {
  switch (sizes_.kind) {
    case PoolingKind::multi:
      return pool_multi(x, valid);
    case PoolingKind::max:
      return pool_max(x, valid);
    case PoolingKind::cls:
      return pool_pick(x, valid, summary);
    case PoolingKind::attention:
      return attended(run, x, valid);
    default:
      return pool_mean(x, valid);
  }
}

Var ClassifierHead::attended(Run& run, const Var& x, const std::uint8_t* valid) const {
  const Var scores = run.tap(scores_, linear(x, run.matrix(query_)));
  const Var pattern = run.tap(pattern_, pool_weights({.scores = scores,
                                                      .sink = run.weight(sink_),
                                                      .sharpness = run.weight(sharpness_),
                                                      .valid = valid}));
  const Var values = linear(x, run.matrix(w_v_), {.bias = &run.weight(b_v_)});
  const Shape by_head{x.value.dim(0), x.value.dim(1), sizes_.heads, sizes_.d_model / sizes_.heads};
  return pool_mix(pattern, run.tap(v_, reshape(values, by_head)));
}

/// The small network, on summaries or on tokens.
Var ClassifierHead::judged(Run& run, const Var& x) const {
  const Var hidden = run.tap(
      hidden_, linear(x, run.matrix(w_in_),
                      {.bias = &run.weight(b_in_), .activation = kernels::Activation::relu}));
  return linear(hidden, run.matrix(w_out_), {.bias = &run.weight(b_out_)});
}

Var ClassifierHead::verdict(const Var& violation, const std::uint8_t* valid) const {
  if (sizes_.kind == PoolingKind::noisy_or) return noisy_or(violation, valid);
  return sizes_.kind == PoolingKind::token_max ? token_max(violation, valid)
                                               : token_lse(violation, valid);
}

}  // namespace heddle
