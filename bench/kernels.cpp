// Micro-benchmarks of the kernels: products as a share of the FMA peak measured beside them, the
// rest in nanoseconds. Best of many short runs, so that a busy machine disturbs little.
//   kernels [level]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "heddle/kernels/adam.hpp"
#include "heddle/kernels/attention.hpp"
#include "heddle/kernels/elementwise.hpp"
#include "heddle/kernels/gemm.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/kernels/loss.hpp"
#include "heddle/kernels/norm.hpp"
#include "heddle/kernels/softmax.hpp"
#include "heddle/tensor/tensor.hpp"

namespace {

using heddle::DType;
using heddle::Index;
using heddle::Tensor;
using namespace heddle::kernels;  // NOLINT(google-build-using-namespace)

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds of one call, the best of `runs` stretches of about 100 µs.
double best_time(const std::function<void()>& call, int runs = 300) {
  call();
  double start = now();
  call();
  const int repeats = std::clamp(static_cast<int>(1e-4 / std::max(now() - start, 1e-9)), 1, 10000);
  double best = 1e9;
  for (int run = 0; run < runs; ++run) {
    start = now();
    for (int i = 0; i < repeats; ++i) call();
    best = std::min(best, (now() - start) / repeats);
  }
  return best;
}

Tensor numbers(Index rows, Index columns) {
  Tensor t = Tensor::uninitialised({rows, columns}, DType::f32);
  float* out = t.write<float>();
  unsigned state = 12345;
  for (Index i = 0; i < t.size(); ++i) {
    state = state * 1664525U + 1013904223U;
    out[i] = static_cast<float>(state >> 8U) * 0x1p-23F - 1.0F;
  }
  return t;
}

/// Twelve independent chains of FMAs (the widest vectors of each level), nothing else: GFLOP/s.
double fma_peak(const std::string& level) {
  const long turns = 20000;
  const double lanes = level == "avx512" ? 16 : 8;
  double best = 1e9;
#if defined(__x86_64__)
  for (int run = 0; run < 200; ++run) {
    long left = turns;
    const double start = now();
    // NOLINTBEGIN(hicpp-no-assembler)
    if (level == "avx512")
      asm volatile(
          "vpxor %%xmm12,%%xmm12,%%xmm12\n vpxor %%xmm13,%%xmm13,%%xmm13\n"
          "1: vfmadd231ps %%zmm12,%%zmm13,%%zmm0\n vfmadd231ps %%zmm12,%%zmm13,%%zmm1\n"
          "vfmadd231ps %%zmm12,%%zmm13,%%zmm2\n vfmadd231ps %%zmm12,%%zmm13,%%zmm3\n"
          "vfmadd231ps %%zmm12,%%zmm13,%%zmm4\n vfmadd231ps %%zmm12,%%zmm13,%%zmm5\n"
          "vfmadd231ps %%zmm12,%%zmm13,%%zmm6\n vfmadd231ps %%zmm12,%%zmm13,%%zmm7\n"
          "vfmadd231ps %%zmm12,%%zmm13,%%zmm8\n vfmadd231ps %%zmm12,%%zmm13,%%zmm9\n"
          "vfmadd231ps %%zmm12,%%zmm13,%%zmm10\n vfmadd231ps %%zmm12,%%zmm13,%%zmm11\n"
          "dec %0\n jnz 1b\n vzeroupper\n"
          : "+r"(left)::"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
            "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "cc");
    else
      asm volatile(
          "vpxor %%xmm12,%%xmm12,%%xmm12\n vpxor %%xmm13,%%xmm13,%%xmm13\n"
          "1: vfmadd231ps %%ymm12,%%ymm13,%%ymm0\n vfmadd231ps %%ymm12,%%ymm13,%%ymm1\n"
          "vfmadd231ps %%ymm12,%%ymm13,%%ymm2\n vfmadd231ps %%ymm12,%%ymm13,%%ymm3\n"
          "vfmadd231ps %%ymm12,%%ymm13,%%ymm4\n vfmadd231ps %%ymm12,%%ymm13,%%ymm5\n"
          "vfmadd231ps %%ymm12,%%ymm13,%%ymm6\n vfmadd231ps %%ymm12,%%ymm13,%%ymm7\n"
          "vfmadd231ps %%ymm12,%%ymm13,%%ymm8\n vfmadd231ps %%ymm12,%%ymm13,%%ymm9\n"
          "vfmadd231ps %%ymm12,%%ymm13,%%ymm10\n vfmadd231ps %%ymm12,%%ymm13,%%ymm11\n"
          "dec %0\n jnz 1b\n vzeroupper\n"
          : "+r"(left)::"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
            "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "cc");
    // NOLINTEND(hicpp-no-assembler)
    best = std::min(best, now() - start);
  }
#endif
  return static_cast<double>(turns) * 12 * 2 * lanes / best * 1e-9;
}

struct Layer {
  Index m, k, n;
  Tensor x, w, y, dy, dx, dw, bias, pf, pb;

  Layer(Index m_, Index k_, Index n_)
      : m(m_),
        k(k_),
        n(n_),
        x(numbers(m, k)),
        w(numbers(k, n)),
        y(numbers(m, n)),
        dy(numbers(m, n)),
        dx(numbers(m, k)),
        dw(numbers(k, n)),
        bias(numbers(1, n)),
        pf(numbers(1, panel_size(k, n))),
        pb(numbers(1, panel_size(n, k))) {
    pack(w.rows<float>(), pf.write<float>());
    pack_transposed(w.rows<float>(), pb.write<float>());
  }
};

void bench_gemm(Index m, Index k, Index n, const std::string& level) {
  Layer l(m, k, n);
  const double flop = 2.0 * static_cast<double>(m * k * n);
  const auto share = [&](const std::function<void()>& call) {
    const double seconds = best_time(call);
    return 100 * flop / seconds * 1e-9 / fma_peak(level);
  };
  const Panels<float> forward{.data = l.pf.data<float>(), .k = k, .n = n};
  const Panels<float> backward{.data = l.pb.data<float>(), .k = n, .n = k};
  const auto x = l.x.rows<float>();
  const auto dy = l.dy.rows<float>();
  const auto y = l.y.write_rows<float>();
  const auto dx = l.dx.write_rows<float>();
  const auto dw = l.dw.write_rows<float>();
  const float* bias = l.bias.data<float>();
  float* dbias = l.bias.write<float>();
  const double plain = share([&] { matmul(x, forward, {}, y); });
  const double relu =
      share([&] { matmul(x, forward, {.bias = bias, .activation = Activation::relu}, y); });
  const double residual = share([&] { matmul(x, forward, {.bias = bias, .residual = dy}, y); });
  const double gelu =
      share([&] { matmul(x, forward, {.bias = bias, .activation = Activation::gelu}, y); });
  const double input = share([&] { matmul(dy, backward, {}, dx); });
  const double slope =
      share([&] { matmul(dy, backward, {.slope_of = x.data, .slope = Activation::relu}, dx); });
  const double weight = share(
      [&] { weight_gradient({.x = x, .dy = dy, .dw = dw, .dbias = dbias, .accumulate = false}); });
  std::printf("%4td %4td %4td | %5.1f %5.1f %5.1f %5.1f | %5.1f %5.1f | %5.1f\n", m, k, n, plain,
              relu, residual, gelu, input, slope, weight);
}

void bench_attention(Index queries, Index keys, bool causal) {
  const Index batch = 64;
  const Index heads = 4;
  const Index d = 32;
  Tensor q = numbers(batch * queries, heads * d);
  Tensor k = numbers(batch * keys, heads * d);
  Tensor v = numbers(batch * keys, heads * d);
  Tensor z = numbers(batch * queries, heads * d);
  Tensor dz = numbers(batch * queries, heads * d);
  Tensor lse = numbers(batch * heads, queries);
  Tensor dq = q;
  dq = numbers(batch * queries, heads * d);
  Tensor dk = numbers(batch * keys, heads * d);
  Tensor dv = numbers(batch * keys, heads * d);
  const Index stride = heads * d;
  const AttentionShape shape{.batch = batch,
                             .heads = heads,
                             .queries = queries,
                             .keys = keys,
                             .d = d,
                             .causal = causal,
                             .scale = 0.1767766952966369};
  const auto in = [&](Tensor& t) {
    return HeadRows<const float>{.data = t.data<float>(), .stride = stride};
  };
  const auto out = [&](Tensor& t) {
    return HeadRows<float>{.data = t.write<float>(), .stride = stride};
  };
  const double forward = best_time([&] {
    attention_forward({.shape = shape,
                       .q = in(q),
                       .k = in(k),
                       .v = in(v),
                       .z = out(z),
                       .lse = lse.write<float>()});
  });
  const double backward = best_time([&] {
    attention_backward({.shape = shape,
                        .q = in(q),
                        .k = in(k),
                        .v = in(v),
                        .z = in(z),
                        .dz = in(dz),
                        .lse = lse.data<float>(),
                        .dq = out(dq),
                        .dk = out(dk),
                        .dv = out(dv)});
  });
  const double count = static_cast<double>(batch * heads) * 1e-9;
  std::printf("attention %2td × %2td%s: forward %4.0f ns, backward %4.0f ns a head\n", queries,
              keys, causal ? " causal" : "", forward / count, backward / count);
}

void bench_rows() {
  const Index rows = 448;
  const Index columns = 128;
  Tensor x = numbers(rows, columns);
  Tensor y = numbers(rows, columns);
  Tensor dy = numbers(rows, columns);
  Tensor gain = numbers(4, columns);
  Tensor mean = numbers(2, rows);
  float* g = gain.write<float>();
  float* s = mean.write<float>();
  const auto in = x.rows<float>();
  const auto din = dy.rows<float>();
  const auto out = y.write_rows<float>();
  const auto report = [](const char* name, double count, const std::function<void()>& call) {
    std::printf("%-22s %7.3f ns a number\n", name, best_time(call) * 1e9 / count);
  };
  const auto count = static_cast<double>(rows * columns);
  report("layer_norm", count, [&] {
    layer_norm({.x = in,
                .gain = g,
                .bias = g + columns,
                .epsilon = 1e-5,
                .y = out,
                .mean = s,
                .rstd = s + rows});
  });
  report("layer_norm_backward", count, [&] {
    layer_norm_backward({.x = in,
                         .dy = din,
                         .gain = g,
                         .mean = s,
                         .rstd = s + rows,
                         .add = {},
                         .dx = out,
                         .dgain = g + 2 * columns,
                         .dbias = g + 3 * columns,
                         .accumulate = true});
  });
  report("softmax", count, [&] { softmax(in, out); });
  report("gelu", count, [&] { activate(Activation::gelu, x.flat<float>(), {out.data, 57344}); });
  Tensor m = Tensor::zeros({rows, columns}, DType::f32);
  Tensor v = Tensor::zeros({rows, columns}, DType::f32);
  const std::size_t size = 57344;
  report("adamw", count, [&] {
    adamw(AdamW<float>{.w = {out.data, size},
                       .m = {m.write<float>(), size},
                       .v = {v.write<float>(), size},
                       .g = dy.flat<float>(),
                       .step = 3});
  });
  report("sum_of_squares", count, [&] { (void)sum_of_squares(x.flat<float>()); });
  const std::vector<std::int32_t> targets(320, 3);
  const auto logits = heddle::matrix(x.data<float>(), 320, 14);
  const auto dlogits = heddle::matrix(out.data, 320, 14);
  report("cross_entropy (14)", 320 * 14, [&] {
    cross_entropy({.logits = logits,
                   .targets = targets.data(),
                   .weight = 0.01F,
                   .loss = s,
                   .dlogits = dlogits});
  });
  Tensor panels = numbers(1, panel_size(512, 128));
  const auto w = heddle::matrix(x.data<float>(), 128, 384);
  report("pack", 128 * 384, [&] { pack(w, panels.write<float>()); });
  report("pack_transposed", 128 * 384, [&] { pack_transposed(w, panels.write<float>()); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) pin_isa(argv[1]);
  const std::string level(isa());
  std::printf("%s, FMA peak %.1f GFLOP/s\n", level.c_str(), fma_peak(level));
  std::printf("   m    k    n | x·W  +relu  +res +gelu | dy·Wᵀ +slope | xᵀ·dy   %% of peak\n");
  for (const Index m : {Index{320}, Index{448}})
    for (const auto& [k, n] :
         {std::pair<Index, Index>{128, 128}, {128, 384}, {128, 512}, {512, 128}, {128, 14}})
      bench_gemm(m, k, n, level);
  bench_attention(7, 7, false);
  bench_attention(5, 5, true);
  bench_attention(5, 7, false);
  bench_attention(16, 16, false);
  bench_rows();
}
