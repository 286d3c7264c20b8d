// See norm.hpp.
#include "heddle/ops/norm.hpp"

#include "heddle/kernels/norm.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

/// dgain and dbias share one "add or overwrite" flag: where theirs differ, the fresh one is
/// cleared.
struct Parameters {
  GradientSlot gain, bias;
};
template <class T>
Parameters parameter_slots(Backprop& b, Index width) {
  const auto slot = [&](int input) {
    if (b.wants(input)) return b.slot(input);
    return GradientSlot{Tensor::uninitialised({width}, dtype_of<T>()), false};
  };
  Parameters p{slot(1), slot(2)};
  if (p.gain.accumulate != p.bias.accumulate) {
    const Tensor& fresh = p.gain.accumulate ? p.bias.gradient : p.gain.gradient;
    std::memset(fresh.write_shared<T>(), 0, fresh.bytes());
    p.gain.accumulate = true;
  }
  return p;
}

}  // namespace

Var layer_norm(const Var& x, const Var& gain, const Var& bias) {
  const Index width = x.value.dim(-1), rows = x.value.size() / width;
  check<ShapeError>(gain.value.size() == width && bias.value.size() == width,
                    "layer norm: a gain of {} and a bias of {} for rows of {}", gain.value.size(),
                    bias.value.size(), width);
  Tensor y = Tensor::uninitialised(x.value.shape(), x.value.dtype());
  Tensor mean = Tensor::uninitialised({rows}, y.dtype());
  Tensor rstd = Tensor::uninitialised({rows}, y.dtype());
  dispatch(y.dtype(), [&]<class T>() {
    kernels::layer_norm(kernels::LayerNorm<T>{.x = x.value.rows<T>(),
                                              .gain = gain.value.data<T>(),
                                              .bias = bias.value.data<T>(),
                                              .epsilon = kNormEpsilon,
                                              .y = y.write_rows<T>(),
                                              .mean = mean.write<T>(),
                                              .rstd = rstd.write<T>()});
  });
  return record(
      y, {&x, &gain, &bias}, [x = x.value, gain = gain.value, mean, rstd, width](Backprop& b) {
        dispatch(x.dtype(), [&]<class T>() {
          const bool gather = b.wants(0) && b.slope(0).activation == kernels::Activation::none;
          Tensor before = gather ? b.take(0) : Tensor{};
          Tensor dx = !before.empty() && before.unique()
                          ? before
                          : Tensor::uninitialised(x.shape(), dtype_of<T>());
          const Parameters p = parameter_slots<T>(b, width);
          kernels::layer_norm_backward(kernels::LayerNormBackward<T>{
              .x = x.rows<T>(),
              .dy = b.dy().rows<T>(),
              .gain = gain.data<T>(),
              .mean = mean.data<T>(),
              .rstd = rstd.data<T>(),
              .add = before.empty() ? Matrix<const T>{} : before.rows<T>(),
              .dx = matrix(dx.write_shared<T>(), x.size() / width, width),
              .dgain = p.gain.gradient.write_shared<T>(),
              .dbias = p.bias.gradient.write_shared<T>(),
              .accumulate = p.gain.accumulate});
          before = Tensor{};
          if (gather)
            b.give(0, dx);
          else
            b.add(0, dx);
        });
      });
}

}  // namespace heddle
