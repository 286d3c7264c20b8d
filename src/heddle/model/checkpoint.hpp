// Weights on disk: model.safetensors, one tensor per weight under its tap's name. Matrices are
// [in, out]: y = x W + b, so a PyTorch Linear's weight is the transpose.
#pragma once

#include <string>

#include "heddle/nn/weights.hpp"
#include "heddle/tensor/safetensors.hpp"

namespace heddle {

/// Writes all weights, whole or not at all.
void save_weights(const std::string& path, const Weights& weights, const Metadata& metadata);
/// Reads them back. FileError, one line: not a safetensors file, a missing or foreign tensor, or a
/// shape that the model does not have.
Metadata load_weights(const std::string& path, Weights& weights);

}  // namespace heddle
