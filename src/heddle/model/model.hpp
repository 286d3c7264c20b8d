// What the lenses know of any model: its weights, its taps, and a chain of stages that can be
// entered anywhere.
#pragma once

#include <string>

#include "heddle/nn/lookup.hpp"
#include "heddle/nn/run.hpp"
#include "heddle/nn/tokens.hpp"

namespace heddle {

/// One batch as a model reads it. Everything must outlive the backward pass.
struct ModelInput {
  Tokens source;                         ///< what the encoder reads
  Tokens target{};                       ///< what the decoder reads; a classifier has none
  const std::uint8_t* pooled = nullptr;  ///< classifier, [batch, length]: 1 is pooled; null: all
  Index summary = 0;                     ///< classifier: where the token of pooling cls stands
};

/// What flows from stage to stage. A stage reads what earlier ones wrote, so a pass can start in
/// the middle with the activations of another pass.
struct Activations {
  Var source;  ///< the encoder's residual stream [batch, source position, d_model]
  Var memory;  ///< what cross-attention reads
  Var target;  ///< the decoder's residual stream [batch, target position, d_model]
  Var logits;  ///< [batch, target position, vocabulary], or [batch, classes]
  Lookup source_lookup{}, target_lookup{};  ///< of the embeddings that the streams begin with
};

class Model {
 public:
  Model() = default;
  virtual ~Model() = default;
  Model(const Model&) = delete;  // weights point at its blueprint
  Model& operator=(const Model&) = delete;

  virtual const WeightLayout& layout() const = 0;
  virtual const TapTable& taps() const = 0;
  /// Logits of one answer: tokens of the vocabulary, or classes.
  virtual Index choices() const = 0;

  virtual int stages() const = 0;
  virtual const std::string& stage_name(int stage) const = 0;
  /// The first stage that an edit at this tap can change.
  virtual int stage_of(TapId tap) const = 0;
  virtual void run_stage(int stage, Run& run, const ModelInput& input, Activations& at) const = 0;

  /// All stages, one after the other.
  Var forward(Run& run, const ModelInput& input) const {
    Activations at;
    for (int stage = 0; stage < stages(); ++stage) run_stage(stage, run, input, at);
    return at.logits;
  }
};

}  // namespace heddle
