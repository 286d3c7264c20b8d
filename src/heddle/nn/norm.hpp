// Layer norm as a module: gain and bias under its path, its result a tap.
#pragma once

#include "heddle/nn/builder.hpp"
#include "heddle/nn/run.hpp"
#include "heddle/ops/norm.hpp"

namespace heddle {

class Norm {
 public:
  Norm(const Builder& at, Index width)
      : gain_(at.vector("gain", width, {.mean = 1})),
        bias_(at.vector("bias", width, {})),
        out_(at.tap("out", axes::kStream, {width})) {}

  Var forward(Run& run, const Var& x) const {
    return run.tap(out_, layer_norm(x, run.weight(gain_), run.weight(bias_)));
  }

  TapId out() const { return out_; }

 private:
  WeightId gain_, bias_;
  TapId out_;
};

}  // namespace heddle
