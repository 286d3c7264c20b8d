// Feed-forward sublayer: activation(x w_in + b_in) w_out + b_out.
#pragma once

#include "heddle/nn/builder.hpp"
#include "heddle/nn/run.hpp"

namespace heddle {

struct MlpSizes {
  Index d_model = 0, d_ff = 0;
  kernels::Activation activation = kernels::Activation::relu;
  double deviation_out = 0;  ///< of w_out at the start
};

class Mlp {
 public:
  Mlp(const Builder& at, const MlpSizes& sizes);

  /// (+ residual, where given)
  Var forward(Run& run, const Var& x, const Var* residual) const;

 private:
  MlpSizes sizes_;
  WeightId w_in_, b_in_, w_out_, b_out_;
  TapId hidden_, out_;
};

}  // namespace heddle
