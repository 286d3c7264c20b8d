// Layer normalisation: float to the vector kernels, double to the reference.
#include "heddle/kernels/norm.hpp"

#include <algorithm>

#include "heddle/kernels/reference/norm.hpp"
#include "heddle/kernels/scratch.hpp"

namespace heddle::kernels {

void layer_norm(const LayerNorm<float>& args) {
  active_table().layer_norm({args.x.shape[0], args.x.shape[1], raw(args.x), args.gain, args.bias,
                             static_cast<float>(args.epsilon), raw(args.y), args.mean, args.rstd});
}
void layer_norm(const LayerNorm<double>& args) {
  reference::layer_norm(args);
}

void layer_norm_backward(const LayerNormBackward<float>& args) {
  if (!args.accumulate) {
    std::fill_n(args.dgain, args.x.shape[1], 0.0F);
    std::fill_n(args.dbias, args.x.shape[1], 0.0F);
  }
  active_table().layer_norm_backward({args.x.shape[0], args.x.shape[1], raw(args.x), raw(args.dy),
                                      args.gain, args.mean, args.rstd, raw(args.add), raw(args.dx),
                                      args.dgain, args.dbias});
}
void layer_norm_backward(const LayerNormBackward<double>& args) {
  reference::layer_norm_backward(args);
}

}  // namespace heddle::kernels
