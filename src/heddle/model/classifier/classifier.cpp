// See classifier.hpp.
#include "heddle/model/classifier/classifier.hpp"

#include <cmath>

#include "heddle/base/index.hpp"
#include "heddle/config/head_names.hpp"
#include "heddle/task/row_layout.hpp"

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

Classifier::Classifier(const ModelConfig& config, const TaskShape& shape)
    : Model(shape), config_(config), classes_(shape.classes) {
  const Builder root(blueprint_), encoder = root.at("encoder").in(Stream::source),
                                  embed = encoder.at("embed");
  // As many rows of a table as the longest sequence that trains needs.
  embedding_.emplace(embed, shape.vocabulary(), config.d_model,
                     make_position(embed, row_layout(config).length(shape.longest_input)));
  add_stage("encoder.embed");
  for (std::int64_t i = 0; i < config.layers; ++i) {
    blocks_.emplace_back(encoder.at(std::to_string(i)), block_sizes(i));
    add_stage(fmt::format("encoder.{}", i));
  }
  if (config.has_final_norm()) norm_.emplace(encoder.at("norm"), config.d_model);
  head_.emplace(root.at("head").in(Stream::source),
                ClassifierHeadSizes{.d_model = config.d_model,
                                    .classes = classes_,
                                    .heads = config.heads,
                                    .kind = static_cast<PoolingKind>(config.pooling)});
  logits_ = root.tap("logits", axes::kSummary, {classes_}, TapRole::logits);
  add_stage("head");
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

BlockSizes Classifier::block_sizes(std::int64_t layer) const {
  const std::vector<std::int64_t> left = heads_left(config_, fmt::format("encoder.{}.self", layer));
  RelativeSizes relative;
  relative.numbers.assign(left.begin(), left.end());
  relative.all_heads = config_.heads;
  relative.heads = std::ssize(left);
  relative.d_head = config_.d_head();
  relative.reach = config_.position_reach;
  relative.base = config_.position_base;
  relative.direction = static_cast<Direction>(config_.direction);
  return {
      .attention = {.d_model = config_.d_model,
                    .heads = std::ssize(left),
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

void Classifier::add_stage(std::string name) {
  stages_.push_back({std::move(name), static_cast<TapId>(blueprint_.taps.points().size())});
}

int Classifier::stage_of(TapId tap) const {
  int stage = 0;
  while (tap >= at(stage).end_tap) ++stage;
  return stage;
}

void Classifier::run_stage(int stage, Run& run, const ModelInput& input, Activations& x) const {
  const auto layer = to_size(stage) - 1;
  if (stage == 0) {
    x.source = embedding_->forward(run, input.source, x.source_lookup);
  } else if (layer < blocks_.size()) {
    x.source = blocks_[layer].forward(
        run, {.x = x.source, .valid = input.source.valid, .lookup = &x.source_lookup});
  } else {
    const Var h = norm_ ? norm_->forward(run, x.source) : x.source;
    x.logits = run.tap(logits_, head_->forward(run, h, input.pooled, input.summary));
  }
}

}  // namespace heddle
