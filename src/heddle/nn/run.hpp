// One forward pass: which weights, who watches or edits, and whether gradients are wanted.
#pragma once

#include <initializer_list>
#include <vector>

#include "heddle/nn/taps.hpp"
#include "heddle/nn/weights.hpp"
#include "heddle/ops/linear.hpp"

namespace heddle {

class Run {
 public:
  /// `edits` may be null: then every tap costs one branch. All arguments must outlive the run.
  explicit Run(const Weights& weights, const Edits* edits = nullptr)
      : weights_(&weights), edits_(edits), bound_(weights.layout().specs().size()) {}

  /// From now on weights are recorded on `tape`, their gradients written to windows of `gradient`,
  /// a buffer as long as the flat weights.
  void differentiate(Tape& tape, const Tensor& gradient) {
    tape_ = &tape;
    gradient_ = gradient;
  }
  /// Forgets the weights bound so far: call before every pass when weights or tape have changed.
  void restart() {
    for (Var& var : bound_) var = {};
  }

  /// A weight, as the edits leave it; bound once per pass.
  const Var& weight(WeightId id);
  /// The same with its panels, unless an edit has changed it.
  WeightMatrix matrix(WeightId id);

  Var tap(TapId id, Var x) const { return tap(id, std::move(x), offset_); }
  /// A tap whose rows start at a position of their own (the keys of a cross-attention).
  Var tap(TapId id, Var x, Index offset) const {
    if (edits_ == nullptr || !edits_->watches(id)) return x;
    return edits_->apply(id, offset, std::move(x));
  }
  /// Will anyone look at one of these points? If not, a fused operation may skip them.
  bool watched(std::initializer_list<TapId> points) const {
    if (edits_ == nullptr) return false;
    for (const TapId id : points)
      if (edits_->watches(id)) return true;
    return false;
  }

  /// Position of the first row of what is passing now (0 except in cached decoding).
  Index offset() const { return offset_; }
  void set_offset(Index offset) { offset_ = offset; }

 private:
  const Weights* weights_;
  const Edits* edits_;
  Tape* tape_ = nullptr;
  Tensor gradient_;
  std::vector<Var> bound_;
  Index offset_ = 0;
};

}  // namespace heddle
