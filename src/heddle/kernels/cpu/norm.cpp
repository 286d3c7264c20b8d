// Layer normalisation, row by row. The variance takes a second pass over the row (which is in the
// first-level cache by then): the mean of squares minus the square of the mean would cancel.
#include "heddle/kernels/cpu/kernels.hpp"
#include "heddle/kernels/cpu/rows.hpp"

namespace heddle::kernels::HEDDLE_ISA {
namespace {

/// Σ (x − mean)².
float squared_deviation(const float* x, Index count, float mean) {
  Vec sum{};
  for_each_vec(count, [&](Index j, Index lanes) {
    const Vec centred = pad(load_some(x + j, lanes) - mean, lanes, 0.0F);
    sum += centred * centred;
  });
  return sum_lanes(sum);
}

}  // namespace

void layer_norm(const RawLayerNorm& args) {
  const auto columns = static_cast<float>(args.columns);
  for (Index i = 0; i < args.rows; ++i) {
    const float* x = args.x.data + i * args.x.stride;
    float* y = args.y.data + i * args.y.stride;
    const float mean = row_sum(x, args.columns) / columns;
    const float variance = squared_deviation(x, args.columns, mean) / columns;
    const float rstd = 1.0F / __builtin_sqrtf(variance + args.epsilon);
    for_each_vec(args.columns, [&](Index j, Index lanes) {
      const Vec unit = (load_some(x + j, lanes) - mean) * rstd;
      store_some(y + j, unit * load_some(args.gain + j, lanes) + load_some(args.bias + j, lanes),
                 lanes);
    });
    if (args.mean) args.mean[i] = mean;
    if (args.rstd) args.rstd[i] = rstd;
  }
}

/// With u = (x − mean)·rstd and g = dy ∘ gain:
///   dx = rstd · (g − mean(g) − u · mean(g ∘ u));  dgain += dy ∘ u;  dbias += dy.
void layer_norm_backward(const RawLayerNormBackward& args) {
  const auto columns = static_cast<float>(args.columns);
  for (Index i = 0; i < args.rows; ++i) {
    const float* x = args.x.data + i * args.x.stride;
    const float* dy = args.dy.data + i * args.dy.stride;
    const float* add = args.add.data ? args.add.data + i * args.add.stride : nullptr;
    float* dx = args.dx.data + i * args.dx.stride;
    const float mean = args.mean[i];
    const float rstd = args.rstd[i];
    Vec sum_g{};
    Vec sum_gu{};
    for_each_vec(args.columns, [&](Index j, Index lanes) {
      const Vec u = (load_some(x + j, lanes) - mean) * rstd;
      const Vec d = load_some(dy + j, lanes);
      const Vec g = d * load_some(args.gain + j, lanes);  // 0 beyond the row's end
      sum_g += g;
      sum_gu += g * u;
      store_some(args.dgain + j, load_some(args.dgain + j, lanes) + d * u, lanes);
      store_some(args.dbias + j, load_some(args.dbias + j, lanes) + d, lanes);
    });
    const float mean_g = sum_lanes(sum_g) / columns;
    const float mean_gu = sum_lanes(sum_gu) / columns;
    for_each_vec(args.columns, [&](Index j, Index lanes) {
      const Vec u = (load_some(x + j, lanes) - mean) * rstd;
      const Vec g = load_some(dy + j, lanes) * load_some(args.gain + j, lanes);
      Vec d = (g - mean_g - u * mean_gu) * rstd;
      if (add) d += load_some(add + j, lanes);
      store_some(dx + j, d, lanes);
    });
  }
}

}  // namespace heddle::kernels::HEDDLE_ISA
