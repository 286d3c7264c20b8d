// The encoder classifier: tokens of a sequence to the logits of "no" and "yes".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heddle/config/config.hpp"
#include "heddle/nn/block.hpp"
#include "heddle/nn/embedding.hpp"
#include "heddle/nn/pooling.hpp"

namespace heddle {

/// What the task decides about a classifier.
struct ClassifierSizes {
  Index vocabulary = 0;
  Index position_rows = 0;  ///< tokens of the longest sequence that trains
};

/// One batch as the model reads it. Everything must outlive the backward pass.
struct ClassifierInput {
  Tokens tokens;
  const std::uint8_t* pooled = nullptr;  ///< [batch, length]: 1 for what is pooled; null: all
  Index summary = 0;                     ///< where the token of pooling cls stands
};

class Classifier {
 public:
  static constexpr Index kClasses = 2;

  Classifier(const ModelConfig& config, const ClassifierSizes& sizes);
  Classifier(const Classifier&) = delete;  // weights point at its blueprint
  Classifier& operator=(const Classifier&) = delete;

  const WeightLayout& layout() const { return blueprint_.weights; }
  const TapTable& taps() const { return blueprint_.taps; }
  const ModelConfig& config() const { return config_; }

  /// → logits [batch, 2].
  Var forward(Run& run, const ClassifierInput& input) const;

 private:
  Position make_position(const Builder& at, Index rows) const;
  BlockSizes block_sizes() const;

  ModelConfig config_;
  Blueprint blueprint_;
  std::optional<Embedding> embedding_;
  std::vector<Block> blocks_;
  std::optional<Norm> norm_;  // pre-norm only
  std::optional<ClassifierHead> head_;
  TapId logits_ = -1;
};

}  // namespace heddle
