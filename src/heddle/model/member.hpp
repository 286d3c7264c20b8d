// A member: one trained (or untrained) model with its settings, as a run's folder holds it.
#pragma once

#include <memory>
#include <string>

#include "heddle/config/config.hpp"
#include "heddle/model/classifier.hpp"
#include "heddle/model/seq2seq.hpp"
#include "heddle/nn/weights.hpp"

namespace heddle {

template <class Model>
struct MemberOf {
  Config config;
  std::unique_ptr<Model> model;
  Weights weights;  ///< packed, ready to run
};
using Member = MemberOf<Seq2Seq>;  ///< of addition
using ClassifierMember = MemberOf<Classifier>;

/// The model that a configuration of addition describes.
std::unique_ptr<Seq2Seq> build_model(const Config& config);
/// The same for sortedness.
std::unique_ptr<Classifier> build_classifier(const Config& config);

/// A member with its weights drawn from the seed.
Member make_member(const Config& config);
ClassifierMember make_classifier(const Config& config);

/// Reads RUN/config.json and RUN/<file>; FileError, one line, for whatever is wrong with them;
/// UsageError for a run of another task.
Member load_member(const std::string& run, const std::string& file = "model.safetensors");
ClassifierMember load_classifier(const std::string& run,
                                 const std::string& file = "model.safetensors");
/// Reads and validates RUN/config.json.
Config load_config(const std::string& run);

}  // namespace heddle
