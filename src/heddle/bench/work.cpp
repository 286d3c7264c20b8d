// See work.hpp.
#include "heddle/bench/work.hpp"

namespace heddle {

double forward_operations(const ModelConfig& model, const SequenceSizes& sizes) {
  const auto d = static_cast<double>(model.d_model), ff = static_cast<double>(model.d_ff);
  const auto source = static_cast<double>(sizes.source_length);
  const auto target = static_cast<double>(sizes.target_length);
  const double mlp = 2 * d * ff;
  const double encoder = 2 * source * (4 * d * d + mlp) + 4 * source * source * d;
  const double self = 2 * target * 4 * d * d + 4 * target * target * d;
  const double cross = 2 * (2 * target + 2 * source) * d * d + 4 * target * source * d;
  const double head = 2 * target * d * static_cast<double>(sizes.vocabulary);
  return static_cast<double>(model.encoder_layers) * encoder +
         static_cast<double>(model.decoder_layers) * (self + cross + 2 * target * mlp) + head;
}

}  // namespace heddle
