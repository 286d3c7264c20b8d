// Matrix products: float to the vector kernels, double to the reference.
#include "heddle/kernels/gemm.hpp"

#include "heddle/kernels/reference/gemm.hpp"
#include "heddle/kernels/scratch.hpp"
#include "heddle/kernels/work_count.hpp"

namespace heddle::kernels {

Index panel_size(Index k, Index n) {
  const Index width = active_table().panel_width;
  return k * ((n + width - 1) / width * width);
}

void pack(Matrix<const float> w, float* panels) {
  active_table().pack(raw(w), w.shape[0], w.shape[1], panels);
}
void pack(Matrix<const double> w, double* panels) {
  reference::pack(w, panels);
}
void pack_transposed(Matrix<const float> w, float* panels) {
  active_table().pack_transposed(raw(w), w.shape[0], w.shape[1], panels);
}
void pack_transposed(Matrix<const double> w, double* panels) {
  reference::pack_transposed(w, panels);
}

void matmul(Matrix<const float> x, Panels<float> w, const Epilogue<float>& epilogue,
            Matrix<float> y) {
  const Table& table = active_table();
  const Scratch scratch(table.matmul_scratch(w.k));
  const RawEpilogue after{.bias = epilogue.bias,
                          .pre_activation = epilogue.pre_activation,
                          .activation = epilogue.activation,
                          .slope_of = epilogue.slope_of,
                          .slope = epilogue.slope,
                          .residual = raw(epilogue.residual)};
  table.matmul({.m = x.shape[0],
                .k = w.k,
                .n = w.n,
                .x = raw(x),
                .panels = w.data,
                .epilogue = after,
                .y = raw(y),
                .scratch = scratch.data()});
  count_operations(product_operations(x.shape[0], w.k, w.n));
}
void matmul(Matrix<const double> x, Panels<double> w, const Epilogue<double>& epilogue,
            Matrix<double> y) {
  reference::matmul(x, w, epilogue, y);
}

void weight_gradient(const WeightGradient<float>& args) {
  const Index m = args.x.shape[0];
  const Index k = args.x.shape[1];
  const Index n = args.dy.shape[1];
  const Table& table = active_table();
  const Scratch scratch(table.weight_gradient_scratch(m, k, n));
  table.weight_gradient({.m = m,
                         .k = k,
                         .n = n,
                         .x = raw(args.x),
                         .dy = raw(args.dy),
                         .dw = raw(args.dw),
                         .dbias = args.dbias,
                         .accumulate = args.accumulate,
                         .scratch = scratch.data()});
  count_operations(product_operations(m, k, n));
}
void weight_gradient(const WeightGradient<double>& args) {
  reference::weight_gradient(args);
}

}  // namespace heddle::kernels
