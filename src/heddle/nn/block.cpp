// See block.hpp.
#include "heddle/nn/block.hpp"

namespace heddle {
namespace {

template <class T, class... Args>
std::optional<T> only_if(bool wanted, Args&&... args) {
  if (!wanted) return std::nullopt;
  return T(std::forward<Args>(args)...);
}

AttentionSizes cross_sizes(const BlockSizes& block) {
  AttentionSizes sizes = block.attention;
  sizes.causal = false;
  sizes.keys = Stream::source;
  sizes.heads = block.cross_heads;
  sizes.relative = RelativeKind::none;  // the two sides have no common coordinate
  sizes.relative_sizes = {};
  return sizes;
}

/// A norm whose result nobody reads is left out.
bool has_norm(const BlockSizes& sizes, Index heads) {
  return !sizes.pre_norm || heads > 0;
}

}  // namespace

// Members are built in the order data passes them, so taps are listed in that order too.
Block::Block(const Builder& at, const BlockSizes& sizes)
    : pre_norm_(sizes.pre_norm),
      before_(at.tap("resid_before", axes::kStream, {sizes.mlp.d_model})),
      norm_self_(only_if<Norm>(has_norm(sizes, sizes.attention.heads), at.at("norm_self"),
                               sizes.mlp.d_model)),
      self_(at.at("self"), sizes.attention),
      mid_(at.tap("resid_mid", axes::kStream, {sizes.mlp.d_model})),
      norm_cross_(only_if<Norm>(sizes.cross && has_norm(sizes, sizes.cross_heads),
                                at.at("norm_cross"), sizes.mlp.d_model)),
      cross_(only_if<Attention>(sizes.cross, at.at("cross"), cross_sizes(sizes))),
      after_cross_(sizes.cross
                       ? std::optional(at.tap("resid_cross", axes::kStream, {sizes.mlp.d_model}))
                       : std::nullopt),
      norm_mlp_(at.at("norm_mlp"), sizes.mlp.d_model),
      mlp_(at.at("mlp"), sizes.mlp),
      after_(at.tap("resid_after", axes::kStream, {sizes.mlp.d_model}, TapRole::block_end)) {}

Var Block::forward(Run& run, const BlockInput& in) const {
  Var x = run.tap(before_, in.x);
  x = run.tap(mid_, self_step(run, x, in));
  if (cross_) x = run.tap(*after_cross_, cross_step(run, x, in));
  return run.tap(after_, mlp_step(run, x));
}

/// The lookup, if it is of x and nobody wants to see or change what comes before q, k and v.
const Lookup* Block::lookup_of(const Run& run, const BlockInput& in) const {
  const bool usable = in.lookup != nullptr && !in.lookup->all.empty() &&
                      in.lookup->describes(in.x) && self_.sizes().heads > 0 &&
                      !run.watched({before_}) && !(pre_norm_ && run.watched({norm_self_->out()}));
  return usable ? in.lookup : nullptr;
}

Var Block::self_step(Run& run, const Var& x, const BlockInput& in) const {
  const Lookup* lookup = lookup_of(run, in);
  const Var read = lookup != nullptr ? Var{lookup->rows} : x;
  const Var h = pre_norm_ && norm_self_ ? norm_self_->forward(run, read) : read;
  const Var y = self_.forward(run, {.queries = h,
                                    .keys = h,
                                    .lookup = lookup,
                                    .key_valid = in.valid,
                                    .residual = &x,
                                    .cache = in.cache != nullptr ? &in.cache->self : nullptr});
  return pre_norm_ ? y : norm_self_->forward(run, y);
}

Var Block::cross_step(Run& run, const Var& x, const BlockInput& in) const {
  const Var h = pre_norm_ && norm_cross_ ? norm_cross_->forward(run, x) : x;
  const Var y = cross_->forward(run, {.queries = h,
                                      .keys = *in.memory,
                                      .key_valid = in.memory_valid,
                                      .residual = &x,
                                      .cache = in.cache != nullptr ? &in.cache->cross : nullptr});
  return pre_norm_ ? y : norm_cross_->forward(run, y);
}

Var Block::mlp_step(Run& run, const Var& x) const {
  const Var h = pre_norm_ ? norm_mlp_.forward(run, x) : x;
  const Var y = mlp_.forward(run, h, &x);
  return pre_norm_ ? y : norm_mlp_.forward(run, y);
}

}  // namespace heddle
