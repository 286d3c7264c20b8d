// Weights on disk: model.safetensors, one tensor per weight under its tap's name. Matrices are
// [in, out]: y = x W + b, so a PyTorch Linear's weight is the transpose.
#pragma once

#include <string>

#include "heddle/nn/weights.hpp"
#include "heddle/tensor/safetensors.hpp"

namespace heddle {

/// In the metadata of a checkpoint: the hash of the settings that its weights were made with.
inline constexpr const char* kSettingsHash = "heddle.config_hash";

enum class Finite : std::uint8_t {
  required,
  as_they_are  ///< for who says aloud what is not
};

/// Writes all weights, whole or not at all. Returns the file's checksum.
std::string save_weights(const std::string& path, const Weights& weights, const Metadata& metadata);
/// Reads them back. FileError, one line: not a safetensors file, a missing or foreign tensor, a
/// shape that the model does not have, or a number that is NaN or infinite.
Metadata load_weights(const std::string& path, Weights& weights);
/// The same from what was read of `path` already.
void take_weights(const SafetensorsFile& file, const std::string& path, Weights& weights,
                  Finite finite = Finite::required);

}  // namespace heddle
