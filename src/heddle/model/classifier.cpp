// See classifier.hpp.
#include "heddle/model/classifier.hpp"

#include <cmath>

namespace heddle {
namespace {

/// What acts inside attention; encodings of inputs are none of it.
RelativeKind relative_of(PositionKind position) {
  switch (position) {
    case PositionKind::rope:
      return RelativeKind::rope;
    case PositionKind::alibi:
      return RelativeKind::alibi;
    case PositionKind::t5:
      return RelativeKind::t5;
    case PositionKind::shaw:
      return RelativeKind::shaw;
    case PositionKind::kerple:
      return RelativeKind::kerple;
    case PositionKind::fire:
      return RelativeKind::fire;
    default:
      return RelativeKind::none;
  }
}

double deviation(std::int64_t fan_in) {
  return 1 / std::sqrt(static_cast<double>(fan_in));
}

}  // namespace

Classifier::Classifier(const ModelConfig& config, const ClassifierSizes& sizes) : config_(config) {
  const Builder root(blueprint_), encoder = root.at("encoder"), embed = encoder.at("embed");
  embedding_.emplace(embed, sizes.vocabulary, config.d_model,
                     make_position(embed, sizes.position_rows));
  for (std::int64_t i = 0; i < config.layers; ++i)
    blocks_.emplace_back(encoder.at(std::to_string(i)), block_sizes());
  if (config.norm == NormKind::pre) norm_.emplace(encoder.at("norm"), config.d_model);
  head_.emplace(root.at("head"),
                ClassifierHeadSizes{.d_model = config.d_model,
                                    .classes = kClasses,
                                    .heads = config.heads,
                                    .kind = static_cast<PoolingKind>(config.pooling)});
  logits_ = root.tap("logits", axes::kSummary, {kClasses});
}

Position Classifier::make_position(const Builder& at, Index rows) const {
  const Index d = config_.d_model;
  switch (config_.position) {
    case PositionKind::sinusoidal:
    case PositionKind::random_offset:
    case PositionKind::randomised:
      return Position::sinusoidal(rows, d);
    case PositionKind::learned:
      return Position::learned(at, std::max<Index>(config_.position_rows, rows), d,
                               static_cast<PastEnd>(config_.position_past_end),
                               config_.position_deviation);
    case PositionKind::normalised:
      return Position::normalised(d);
    default:
      return Position::none();
  }
}

BlockSizes Classifier::block_sizes() const {
  RelativeSizes relative;
  relative.heads = config_.heads;
  relative.d_head = config_.d_head();
  relative.reach = config_.position_reach;
  relative.base = config_.position_base;
  relative.direction = static_cast<Direction>(config_.direction);
  return {
      .attention = {.d_model = config_.d_model,
                    .heads = config_.heads,
                    .d_head = config_.d_head(),
                    .causal = config_.position == PositionKind::causal,
                    .deviation_out = deviation(config_.d_model),
                    .relative = relative_of(config_.position),
                    .relative_sizes = relative,
                    .normaliser = static_cast<Normaliser>(config_.normaliser)},
      .mlp = {.d_model = config_.d_model,
              .d_ff = config_.d_ff,
              .activation = config_.activation == ActivationKind::relu ? kernels::Activation::relu
                                                                       : kernels::Activation::gelu,
              .deviation_out = deviation(config_.d_ff)},
      .pre_norm = config_.norm == NormKind::pre};
}

Var Classifier::forward(Run& run, const ClassifierInput& input) const {
  Var x = embedding_->forward(run, input.tokens);
  for (const Block& block : blocks_) x = block.forward(run, {.x = x, .valid = input.tokens.valid});
  if (norm_) x = norm_->forward(run, x);
  return run.tap(logits_, head_->forward(run, x, input.pooled, input.summary));
}

}  // namespace heddle
