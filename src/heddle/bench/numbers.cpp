// See numbers.hpp.
#include "heddle/bench/numbers.hpp"

namespace heddle {

Tensor bench_numbers(Index rows, Index columns) {
  Tensor t = Tensor::uninitialised({rows, columns}, DType::f32);
  auto* out = t.write<float>();
  unsigned state = 12345;
  for (Index i = 0; i < t.size(); ++i) {
    state = state * 1664525U + 1013904223U;
    out[i] = static_cast<float>(state >> 8U) * 0x1p-23F - 1.0F;
  }
  return t;
}

BenchLayer::BenchLayer(Index rows, Index in, Index out)
    : m(rows),
      k(in),
      n(out),
      x(bench_numbers(m, k)),
      w(bench_numbers(k, n)),
      y(bench_numbers(m, n)),
      dy(bench_numbers(m, n)),
      dx(bench_numbers(m, k)),
      dw(bench_numbers(k, n)),
      bias(bench_numbers(1, n)),
      panels(bench_numbers(1, kernels::panel_size(k, n))),
      panels_transposed(bench_numbers(1, kernels::panel_size(n, k))) {
  pack();
  pack_transposed();
}

void BenchLayer::pack() {
  kernels::pack(w.rows<float>(), panels.write<float>());
}
void BenchLayer::pack_transposed() {
  kernels::pack_transposed(w.rows<float>(), panels_transposed.write<float>());
}

void BenchLayer::forward(const kernels::Epilogue<float>& epilogue) {
  kernels::matmul(x.rows<float>(), {.data = panels.data<float>(), .k = k, .n = n}, epilogue,
                  y.write_rows<float>());
}

void BenchLayer::input_gradient(const kernels::Epilogue<float>& epilogue) {
  kernels::matmul(dy.rows<float>(), {.data = panels_transposed.data<float>(), .k = n, .n = k},
                  epilogue, dx.write_rows<float>());
}

void BenchLayer::weight_gradient() {
  kernels::weight_gradient({.x = x.rows<float>(),
                            .dy = dy.rows<float>(),
                            .dw = dw.write_rows<float>(),
                            .dbias = bias.write<float>(),
                            .accumulate = false});
}
void BenchLayer::bare_weight_gradient() {
  kernels::weight_gradient({.x = x.rows<float>(),
                            .dy = dy.rows<float>(),
                            .dw = dw.write_rows<float>(),
                            .dbias = nullptr,
                            .accumulate = false});
}

}  // namespace heddle
