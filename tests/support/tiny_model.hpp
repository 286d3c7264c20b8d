// A model so small that everything about it can be tried, with weights of which none is
// accidentally zero or one, and a batch of problems for it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "heddle/config/config.hpp"
#include "heddle/model/seq2seq/seq2seq.hpp"
#include "heddle/nn/weights.hpp"
#include "heddle/task/addition/problem.hpp"
#include "heddle/task/batch.hpp"

namespace heddle::testing {

/// A run, under a name that GoogleTest's own Run does not hide.
using Pass = Run;

/// One digit, d_model 8, d_ff 12, two heads, one layer each side.
Config tiny_config();
/// The same with this norm, activation and position.
Config tiny_config(NormKind norm, ActivationKind activation, PositionKind position);

/// Adds noise of this size to every weight, biases and gains included.
void perturb(const Weights& weights, double size = 0.3);

class TinyModel {
 public:
  explicit TinyModel(const Config& config, DType dtype = DType::f32, Index problems = 6);

  const Seq2Seq& model() const { return *model_; }
  const Config& config() const { return config_; }
  const Weights& weights() const { return weights_; }
  const Batch& batch() const { return batch_; }
  Tokens source() const;
  Tokens target() const;
  Edits edits() const { return Edits(model_->taps()); }

  /// A whole pass with the true prefix.
  Activations forward(Run& run) const;
  Tensor logits(const Edits* edits = nullptr) const;
  /// Mean cross-entropy over the loss-bearing positions.
  Var loss(Run& run) const;

 private:
  Config config_;
  std::unique_ptr<Seq2Seq> model_;
  Weights weights_;
  Batch batch_;
};

/// Some problems of that many digits, always the same.
std::vector<Problem> some_problems(int digits, Index count);

/// Edits that return the same numbers in another tensor; zeros; what they saw.
Edit copying();
Edit zeroing();
Edit storing(Tensor& into);

}  // namespace heddle::testing
