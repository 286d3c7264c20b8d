// See work.hpp.
#include "heddle/bench/work.hpp"

namespace heddle {
namespace {

/// One block that attends to itself: `rows` tokens.
double block_operations(const ModelConfig& model, double rows) {
  const auto d = static_cast<double>(model.d_model), ff = static_cast<double>(model.d_ff);
  return 2 * rows * (4 * d * d + 2 * d * ff) + 4 * rows * rows * d;
}

double encoder_operations(const ModelConfig& model, const TaskShape& shape) {
  return static_cast<double>(model.encoder_layers) *
         block_operations(model, static_cast<double>(shape.longest_input));
}

}  // namespace

double decoder_operations(const ModelConfig& model, const TaskShape& shape, Index target) {
  const auto d = static_cast<double>(model.d_model);
  const auto from = static_cast<double>(shape.longest_input), to = static_cast<double>(target);
  const double cross = 2 * (2 * to + 2 * from) * d * d + 4 * to * from * d;
  const double head = 2 * to * d * static_cast<double>(shape.vocabulary());
  return static_cast<double>(model.decoder_layers) * (block_operations(model, to) + cross) + head;
}

double forward_operations(const ModelConfig& model, const TaskShape& shape) {
  return encoder_operations(model, shape) + decoder_operations(model, shape, shape.target_length());
}

double generation_operations(const ModelConfig& model, const TaskShape& shape) {
  double operations = encoder_operations(model, shape);
  for (Index tokens = 1; tokens <= shape.target_length(); ++tokens)
    operations += decoder_operations(model, shape, tokens);
  return operations;
}

double classifier_operations(const ModelConfig& model, Index length) {
  constexpr double kClasses = 2;
  return static_cast<double>(model.layers) * block_operations(model, static_cast<double>(length)) +
         2 * static_cast<double>(model.d_model) * kClasses;
}

}  // namespace heddle
