// The naive twin that judges the vector kernels of cpu/.
#include "heddle/kernels/reference/norm.hpp"

#include <cmath>

namespace heddle::kernels::reference {

/// y = gain ∘ (x − mean) / √(variance + ε) + bias, the variance over all columns (not columns − 1).
void layer_norm(const LayerNorm<double>& args) {
  const Index columns = args.x.shape[1];
  const auto count = static_cast<double>(columns);
  for (Index i = 0; i < args.x.shape[0]; ++i) {
    double mean = 0;
    for (Index j = 0; j < columns; ++j) mean += args.x(i, j) / count;
    double variance = 0;
    for (Index j = 0; j < columns; ++j)
      variance += (args.x(i, j) - mean) * (args.x(i, j) - mean) / count;
    const double rstd = 1 / std::sqrt(variance + args.epsilon);
    for (Index j = 0; j < columns; ++j)
      args.y(i, j) = args.gain[j] * (args.x(i, j) - mean) * rstd + args.bias[j];
    if (args.mean) args.mean[i] = mean;
    if (args.rstd) args.rstd[i] = rstd;
  }
}

/// With u = (x − mean)·rstd and g = dy ∘ gain:
///   dx = rstd · (g − mean(g) − u · mean(g ∘ u)) + add;  dgain (+)= dy ∘ u;  dbias (+)= dy.
void layer_norm_backward(const LayerNormBackward<double>& args) {
  const Index columns = args.x.shape[1];
  const auto count = static_cast<double>(columns);
  for (Index j = 0; j < columns && !args.accumulate; ++j) args.dgain[j] = args.dbias[j] = 0;
  for (Index i = 0; i < args.x.shape[0]; ++i) {
    const auto unit = [&](Index j) { return (args.x(i, j) - args.mean[i]) * args.rstd[i]; };
    double mean_g = 0;
    double mean_gu = 0;
    for (Index j = 0; j < columns; ++j) {
      const double dy = args.dy(i, j);
      mean_g += dy * args.gain[j] / count;
      mean_gu += dy * args.gain[j] * unit(j) / count;
      args.dgain[j] += dy * unit(j);
      args.dbias[j] += dy;
    }
    for (Index j = 0; j < columns; ++j) {
      const double g = args.dy(i, j) * args.gain[j];
      const double dx = args.rstd[i] * (g - mean_g - unit(j) * mean_gu);
      args.dx(i, j) = args.add.data ? dx + args.add(i, j) : dx;
    }
  }
}

}  // namespace heddle::kernels::reference
