// Layer normalisation: float to the vector kernels, double to the reference.
#include "heddle/kernels/norm.hpp"

#include <algorithm>

#include "heddle/kernels/reference/norm.hpp"
#include "heddle/kernels/scratch.hpp"

namespace heddle::kernels {

void layer_norm(const LayerNorm<float>& args) {
  active_table().layer_norm({.rows = args.x.shape[0],
                             .columns = args.x.shape[1],
                             .x = raw(args.x),
                             .gain = args.gain,
                             .bias = args.bias,
                             .epsilon = static_cast<float>(args.epsilon),
                             .y = raw(args.y),
                             .mean = args.mean,
                             .rstd = args.rstd});
}
void layer_norm(const LayerNorm<double>& args) {
  reference::layer_norm(args);
}

void layer_norm_backward(const LayerNormBackward<float>& args) {
  if (!args.accumulate) {
    std::fill_n(args.dgain, args.x.shape[1], 0.0F);
    std::fill_n(args.dbias, args.x.shape[1], 0.0F);
  }
  active_table().layer_norm_backward({.rows = args.x.shape[0],
                                      .columns = args.x.shape[1],
                                      .x = raw(args.x),
                                      .dy = raw(args.dy),
                                      .gain = args.gain,
                                      .mean = args.mean,
                                      .rstd = args.rstd,
                                      .add = raw(args.add),
                                      .dx = raw(args.dx),
                                      .dgain = args.dgain,
                                      .dbias = args.dbias});
}
void layer_norm_backward(const LayerNormBackward<double>& args) {
  reference::layer_norm_backward(args);
}

}  // namespace heddle::kernels
