// The two models that PyTorch and we compute alike, and their files.
#pragma once

#include <string>

#include "heddle/config/config.hpp"
#include "heddle/nn/weights.hpp"
#include "heddle/task/batch.hpp"
#include "heddle/tensor/safetensors.hpp"

namespace heddle::testing {

inline constexpr int kGoldenSteps = 10;

/// "pre" (relu, learned positions) or "post" (gelu, sinusoidal), as tools/golden.py knows them.
Config golden_config(const std::string& variant);

/// What PyTorch starts from: perturbed weights and the batches of ten steps.
std::string golden_inputs_path(const std::string& variant);
void write_golden_inputs(const std::string& path, const std::string& variant);
/// The weights of the inputs, as they are in the file.
void read_golden_weights(const std::string& variant, const Weights& into);

/// What PyTorch made of it.
SafetensorsFile golden_results(const std::string& variant);

}  // namespace heddle::testing
