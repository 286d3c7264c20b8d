// Softmax of rows and its backward pass.
#include "heddle/kernels/cpu/kernels.hpp"
#include "heddle/kernels/cpu/math.hpp"
#include "heddle/kernels/cpu/rows.hpp"

namespace heddle::kernels::HEDDLE_ISA {

void softmax(const RawSoftmax& args) {
  for (Index i = 0; i < args.rows; ++i) {
    const float* x = args.x.data + i * args.x.stride;
    float* y = args.y.data + i * args.y.stride;
    const float top = row_max(x, args.columns);
    // A row of −inf alone: nothing is chosen.
    const float sum = top == -kInfinity ? 0.0F : exp_row(x, args.columns, top, y);
    const Vec share = splat(sum == 0.0F ? 0.0F : 1.0F / sum);
    for_each_vec(args.columns, [&](Index j, Index lanes) {
      const Vec p = sum == 0.0F ? Vec{} : load_some(y + j, lanes) * share;
      store_some(y + j, p, lanes);
    });
  }
}

void softmax_backward(const RawSoftmaxBackward& args) {
  for (Index i = 0; i < args.rows; ++i) {
    const float* y = args.y.data + i * args.y.stride;
    const float* dy = args.dy.data + i * args.dy.stride;
    float* dx = args.dx.data + i * args.dx.stride;
    const Vec mean = splat(row_dot(y, dy, args.columns));
    for_each_vec(args.columns, [&](Index j, Index lanes) {
      store_some(dx + j, load_some(y + j, lanes) * (load_some(dy + j, lanes) - mean), lanes);
    });
  }
}

}  // namespace heddle::kernels::HEDDLE_ISA
