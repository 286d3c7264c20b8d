// See memory.hpp.
#include "heddle/train/memory.hpp"

#include <algorithm>

#include "heddle/base/memory/offered.hpp"
#include "heddle/model/families.hpp"
#include "heddle/task/shape.hpp"
#include "heddle/train/trainer.hpp"

namespace heddle {
namespace {

constexpr double kNumber = sizeof(float);

/// Weights, their best so far, two moments, a gradient for each shard and the average; matrices
/// also lie in panels, once each way.
double memory_of_weights(const Config& config) {
  const auto model = build_model(config);
  const int copies = 4 + Trainer::shard_count(config.train.batch) + (config.train.ema > 0 ? 1 : 0);
  double matrices = 0;
  for (const WeightSpec& spec : model->layout().specs())
    if (spec.role == WeightRole::matrix) matrices += static_cast<double>(spec.shape.size());
  return kNumber * (copies * static_cast<double>(model->layout().flat_size()) + 2 * matrices);
}

/// Of the shards that run at the same time.
double memory_of_passes(const Config& config, int threads) {
  const ModelConfig& model = config.model;
  const TaskShape shape = shape_of(config.task);
  const auto tokens = static_cast<double>(shape.longest_input);
  const double blocks = shape.labels
                            ? tokens * static_cast<double>(model.layers)
                            : tokens * static_cast<double>(model.encoder_layers) +
                                  static_cast<double>(shape.target_length() * model.decoder_layers);
  const auto of_block = static_cast<double>(6 * model.d_model + model.d_ff);
  const int shards = Trainer::shard_count(config.train.batch);
  const double share = static_cast<double>(std::min(threads, shards)) / shards;
  return kNumber * share * static_cast<double>(config.train.batch) * blocks * of_block;
}

}  // namespace

double training_memory(const Config& config, int threads) {
  return memory_of_weights(config) + memory_of_passes(config, threads);
}

void check_training_memory(const Config& config, int threads) {
  check_memory<UsageError>(
      training_memory(config, threads),
      fmt::format("a training with train.batch={}, model.d_model={}, model.d_ff={}",
                  config.train.batch, config.model.d_model, config.model.d_ff));
}

}  // namespace heddle
