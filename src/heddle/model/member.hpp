// A member: one trained (or untrained) model with its settings, as a run's folder holds it.
#pragma once

#include <memory>
#include <string>

#include "heddle/config/config.hpp"
#include "heddle/model/seq2seq.hpp"
#include "heddle/nn/weights.hpp"

namespace heddle {

/// The model that a configuration describes.
std::unique_ptr<Seq2Seq> build_model(const Config& config);

struct Member {
  Config config;
  std::unique_ptr<Seq2Seq> model;
  Weights weights;  ///< packed, ready to run
};

/// A member with its weights drawn from the seed.
Member make_member(const Config& config);

/// Reads RUN/config.json and RUN/<file>; FileError, one line, for whatever is wrong with them.
Member load_member(const std::string& run, const std::string& file = "model.safetensors");
/// Reads and validates RUN/config.json.
Config load_config(const std::string& run);

}  // namespace heddle
