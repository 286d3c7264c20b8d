// See tiny_classifier.hpp.
#include "tests/support/tiny_classifier.hpp"

#include <algorithm>

#include "tests/support/all_of.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {

Config tiny_sorter(PositionKind position, PoolingSetting pooling) {
  Config config = default_config(TaskKind::sortedness);
  config.task.lengths = "4-9";
  config.model.d_model = 8;
  config.model.d_ff = 12;
  config.model.heads = 2;
  config.model.layers = 2;
  config.model.activation = ActivationKind::gelu;
  config.model.position = position;
  config.model.position_reach = 3;
  config.model.direction = DirectionKind::both;
  config.model.pooling = pooling;
  config.train.batch = 16;
  config.train.steps = 20;
  config.train.warmup = 5;
  return config;
}

std::vector<PositionKind> all_positions() {
  std::vector<PositionKind> all = all_of<PositionKind>();
  std::erase_if(all, counts_digits);
  return all;
}

std::vector<PoolingSetting> all_poolings() {
  return all_of<PoolingSetting>();
}

std::string sorter_name(const Config& config) {
  std::string name =
      fmt::format("{}_{}", field_text(config.model.position), field_text(config.model.pooling));
  std::ranges::replace(name, '-', '_');
  return name;
}

TinyClassifier::TinyClassifier(const Config& config, DType dtype)
    : config_(config), model_(build_classifier(config)), weights_(model_->layout(), dtype) {
  weights_.initialise(config.seed);
  perturb(weights_);
  weights_.pack();
}

Tensor TinyClassifier::logits(const std::vector<Sequence>& sequences, const Edits* edits,
                              std::uint64_t first) const {
  std::vector<LabelledSequence> rows;
  rows.reserve(sequences.size());
  for (const Sequence& values : sequences)
    rows.push_back({.values = values, .sorted = is_sorted(values)});
  LabelledBatch batch;
  encode(rows, layout_of(config_.model), batch);
  ClassifierRows beside;
  beside.fill(batch, config_.model,
              {.seed = config_.seed, .purpose = Purpose::evaluation, .first = first});
  return logits(beside.part(batch, 0, batch.size), edits);
}

Tensor TinyClassifier::logits(const ModelInput& input, const Edits* edits) const {
  Run run(weights_, edits);
  return model_->forward(run, input).value;
}

double TinyClassifier::rounding(const Tensor& logits) const {
  constexpr double kHidden = 64, kDeviations = 16, kSums = 5 + 3;
  const double unit = weights_.flat().dtype() == DType::f32 ? kUnit : kUnit64;
  const auto layers = static_cast<double>(config_.model.layers + 1);
  return kDeviations * layers * kSums * kHidden * unit * std::max(1.0, largest(logits));
}

std::vector<Sequence> some_sequences() {
  return {{3, 5, 5, 9, 40, 41, 77, 77, 98}, {61, 12, 12, 80}, {0, 7, 30, 29, 31, 99}};
}

}  // namespace heddle::testing
