// See seq2seq.hpp.
#include "heddle/model/seq2seq/seq2seq.hpp"

#include <cmath>

#include "heddle/base/index.hpp"
#include "heddle/config/head_names.hpp"

namespace heddle {
namespace {

/// What stands at each place, from the column of its digit: within a number columns follow each
/// other, so a number ends where there is no digit.
template <class ColumnOf>
std::vector<DigitSlot> slots_of(Index length, ColumnOf column_of) {
  std::vector<DigitSlot> slots;
  for (Index place = 0; place < length; ++place) {
    const Index column = column_of(place);
    const Index before = slots.empty() ? -1 : slots.back().index;
    slots.push_back({.index = column < 0 ? -1 : before + 1, .column = column});
  }
  return slots;
}

SequenceSizes sizes_of(const TaskShape& shape) {
  SequenceSizes sizes{.vocabulary = shape.vocabulary(),
                      .source_length = shape.longest_input,
                      .target_length = shape.target_length()};
  if (!shape.counts_digits()) return sizes;
  sizes.source_slots = slots_of(sizes.source_length,
                                [&](Index place) { return shape.input_columns[to_size(place)]; });
  sizes.target_slots =
      slots_of(sizes.target_length, [&](Index place) { return shape.read_column(place); });
  return sizes;
}

}  // namespace

Seq2Seq::Seq2Seq(const ModelConfig& config, const TaskShape& shape)
    : Model(shape), config_(config), sizes_(sizes_of(shape)) {
  const SequenceSizes& sizes = sizes_;
  const Builder root(blueprint_), encoder = root.at("encoder").in(Stream::source),
                                  decoder = root.at("decoder").in(Stream::target);
  const Index d = config.d_model;
  const Builder from = encoder.at("embed"), to = decoder.at("embed");
  source_embedding_.emplace(from, sizes.vocabulary, d, make_position(from, false));
  add_stage(StageKind::embed_source, 0, "encoder.embed");
  for (std::size_t i = 0; i < to_size(config.encoder_layers); ++i) {
    encoder_.emplace_back(encoder.at(std::to_string(i)), block_sizes(false, i));
    add_stage(StageKind::encode, i, fmt::format("encoder.{}", i));
  }
  if (config.has_final_norm()) encoder_norm_.emplace(encoder.at("norm"), d);
  add_stage(StageKind::memory, 0, "encoder.norm");
  target_embedding_.emplace(to, sizes.vocabulary, d, make_position(to, true));
  add_stage(StageKind::embed_target, 0, "decoder.embed");
  for (std::size_t i = 0; i < to_size(config.decoder_layers); ++i) {
    decoder_.emplace_back(decoder.at(std::to_string(i)), block_sizes(true, i));
    add_stage(StageKind::decode, i, fmt::format("decoder.{}", i));
  }
  if (config.has_final_norm()) decoder_norm_.emplace(decoder.at("norm"), d);
  const double deviation = 1 / std::sqrt(static_cast<double>(d));
  unembed_w_ =
      root.at("unembed").matrix("w", d, sizes.vocabulary, {.mean = 0, .deviation = deviation});
  unembed_b_ = root.at("unembed").vector("b", sizes.vocabulary, {});
  logits_ =
      root.in(Stream::target).tap("logits", axes::kStream, {sizes.vocabulary}, TapRole::logits);
  add_stage(StageKind::head, 0, "unembed");
}

void Seq2Seq::add_stage(StageKind kind, std::size_t layer, std::string name) {
  stages_.push_back(
      {kind, layer, std::move(name), static_cast<TapId>(blueprint_.taps.points().size())});
}

Position Seq2Seq::make_position(const Builder& at, bool target) const {
  const Index length = target ? sizes_.target_length : sizes_.source_length;
  const std::vector<DigitSlot>& slots = target ? sizes_.target_slots : sizes_.source_slots;
  switch (config_.position) {
    case PositionKind::sinusoidal:
      return Position::sinusoidal(length, config_.d_model);
    case PositionKind::learned:
      return Position::learned(at, length, config_.d_model,
                               static_cast<PastEnd>(config_.position_past_end));
    case PositionKind::abacus:
      return Position::abacus(at, slots, config_.position_starts, config_.d_model);
    case PositionKind::coupled:
      return Position::coupled(at, slots, config_.position_starts, config_.d_model);
    default:  // none; validate() accepts no other
      return Position::none();
  }
}

BlockSizes Seq2Seq::block_sizes(bool decoder, std::size_t layer) const {
  const auto deviation = [](std::int64_t fan_in) {
    return 1 / std::sqrt(static_cast<double>(fan_in));
  };
  const auto heads = [&](std::string_view attention) {
    const auto module = fmt::format("{}.{}.{}", decoder ? "decoder" : "encoder", layer, attention);
    return static_cast<Index>(heads_left(config_, module).size());
  };
  return {
      .attention = {.d_model = config_.d_model,
                    .heads = heads("self"),
                    .d_head = config_.d_head(),
                    .causal = decoder,
                    .deviation_out = deviation(config_.d_model)},
      .mlp = {.d_model = config_.d_model,
              .d_ff = config_.d_ff,
              .activation = config_.activation == ActivationKind::relu ? kernels::Activation::relu
                                                                       : kernels::Activation::gelu,
              .deviation_out = deviation(config_.d_ff)},
      .pre_norm = config_.norm == NormKind::pre,
      .cross = decoder,
      .cross_heads = decoder ? heads("cross") : 0};
}

int Seq2Seq::stage_of(TapId tap) const {
  int stage = 0;
  while (tap >= at(stage).end_tap) ++stage;
  return stage;
}

void Seq2Seq::run_stage(int stage, Run& run, const ModelInput& input, Activations& x,
                        DecodeCache* cache) const {
  const Stage& here = at(stage);
  const Tokens &source = input.source, &target = input.target;
  switch (here.kind) {
    case StageKind::embed_source:
      x.source = source_embedding_->forward(run, source, x.source_lookup);
      return;
    case StageKind::encode:
      x.source = encoder_[here.layer].forward(
          run, {.x = x.source, .valid = source.valid, .lookup = &x.source_lookup});
      return;
    case StageKind::memory:
      x.memory = encoder_norm_ ? encoder_norm_->forward(run, x.source) : x.source;
      return;
    case StageKind::embed_target:
      x.target = target_embedding_->forward(run, target, x.target_lookup);
      return;
    case StageKind::decode:
      x.target = decoder_[here.layer].forward(
          run, {.x = x.target,
                .valid = target.valid,
                .memory = &x.memory,
                .memory_valid = source.valid,
                .cache = cache != nullptr ? &cache->layers[here.layer] : nullptr,
                .lookup = &x.target_lookup});
      return;
    case StageKind::head:
      const Var h = decoder_norm_ ? decoder_norm_->forward(run, x.target) : x.target;
      x.logits =
          run.tap(logits_, linear(h, run.matrix(unembed_w_), {.bias = &run.weight(unembed_b_)}));
      return;
  }
}

void Seq2Seq::encode(Run& run, const Tokens& source, Activations& x) const {
  run.set_offset(source.offset);
  for (int stage = 0; at(stage).kind != StageKind::embed_target; ++stage)
    run_stage(stage, run, {.source = source}, x, nullptr);
}

void Seq2Seq::decode(Run& run, const Tokens& source, const Tokens& target, Activations& x,
                     DecodeCache* cache) const {
  run.set_offset(target.offset);
  int stage = 0;
  while (at(stage).kind != StageKind::embed_target) ++stage;
  for (; stage < stages(); ++stage)
    run_stage(stage, run, {.source = source, .target = target}, x, cache);
  run.set_offset(0);
}

DecodeCache Seq2Seq::cache(Index batch) const {
  DecodeCache cache;
  cache.layers.resize(decoder_.size());
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    const AttentionSizes& a = decoder_[i].self().sizes();
    if (a.heads == 0) continue;  // nothing to keep
    const Shape shape{batch, sizes_.target_length, a.heads, a.d_head};
    cache.layers[i].self = {Tensor::zeros(shape, DType::f32), Tensor::zeros(shape, DType::f32)};
  }
  return cache;
}

}  // namespace heddle
