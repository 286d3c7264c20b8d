// The naive twin that judges the vector kernels of cpu/.
#include "heddle/kernels/reference/gemm.hpp"

#include "heddle/kernels/reference/elementwise.hpp"

namespace heddle::kernels::reference {

void pack(Matrix<const double> w, double* panels) {
  for (Index i = 0; i < w.shape[0]; ++i)
    for (Index j = 0; j < w.shape[1]; ++j) panels[i * w.shape[1] + j] = w(i, j);
}

void pack_transposed(Matrix<const double> w, double* panels) {
  for (Index i = 0; i < w.shape[0]; ++i)
    for (Index j = 0; j < w.shape[1]; ++j) panels[j * w.shape[0] + i] = w(i, j);
}

/// y_ij = epilogue(Σ_p x_ip w_pj).
void matmul(Matrix<const double> x, Panels<double> w, const Epilogue<double>& epilogue,
            Matrix<double> y) {
  for (Index i = 0; i < x.shape[0]; ++i)
    for (Index j = 0; j < w.n; ++j) {
      double c = 0;
      for (Index p = 0; p < w.k; ++p) c += x(i, p) * w.data[p * w.n + j];
      if (epilogue.bias) c += epilogue.bias[j];
      if (epilogue.pre_activation) epilogue.pre_activation[i * w.n + j] = c;
      c = activated(epilogue.activation, c);
      if (epilogue.slope_of) c *= slope(epilogue.slope, epilogue.slope_of[i * w.n + j]);
      if (epilogue.residual.data) c += epilogue.residual(i, j);
      y(i, j) = c;
    }
}

/// dw_pj (+)= Σ_i x_ip dy_ij;  dbias_j (+)= Σ_i dy_ij.
void weight_gradient(const WeightGradient<double>& args) {
  const Index m = args.x.shape[0];
  for (Index j = 0; j < args.dy.shape[1]; ++j) {
    for (Index p = 0; p < args.x.shape[1]; ++p) {
      double sum = 0;
      for (Index i = 0; i < m; ++i) sum += args.x(i, p) * args.dy(i, j);
      args.dw(p, j) = args.accumulate ? args.dw(p, j) + sum : sum;
    }
    if (!args.dbias) continue;
    double sum = 0;
    for (Index i = 0; i < m; ++i) sum += args.dy(i, j);
    args.dbias[j] = args.accumulate ? args.dbias[j] + sum : sum;
  }
}

}  // namespace heddle::kernels::reference
