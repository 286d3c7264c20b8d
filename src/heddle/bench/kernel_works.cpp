// Single kernels at the shapes of the studies: see works.hpp.
#include <functional>
#include <utility>

#include "heddle/base/index.hpp"
#include "heddle/bench/numbers.hpp"
#include "heddle/bench/works.hpp"
#include "heddle/kernels/adam.hpp"
#include "heddle/kernels/attention.hpp"
#include "heddle/kernels/elementwise.hpp"
#include "heddle/kernels/gemm.hpp"
#include "heddle/kernels/loss.hpp"
#include "heddle/kernels/norm.hpp"
#include "heddle/kernels/softmax.hpp"
#include "heddle/kernels/work_count.hpp"

namespace heddle {
namespace {

using namespace kernels;  // NOLINT(google-build-using-namespace)

// ── products ──

void add_products(Index m, Index k, Index n, std::vector<OwnedWork>& works) {
  auto l = std::make_shared<BenchLayer>(m, k, n);
  const double operations = product_operations(1, k, n);  // of a row
  const std::string shape = fmt::format("{} × {} × {}", m, k, n);
  const auto add = [&](const char* form, std::function<void()> call) {
    works.push_back({.work = {.name = fmt::format("{} {}", form, shape),
                              .unit = "rows",
                              .batch = m,
                              .operations = operations,
                              .call = std::move(call)},
                     .keeps = l});
  };
  BenchLayer* at = l.get();
  add("x·W", [at] { at->forward({}); });
  add("x·W + bias, ReLU",
      [at] { at->forward({.bias = at->bias.data<float>(), .activation = Activation::relu}); });
  add("x·W + bias + residual",
      [at] { at->forward({.bias = at->bias.data<float>(), .residual = at->dy.rows<float>()}); });
  add("dy·Wᵀ", [at] { at->input_gradient({}); });
  add("dy·Wᵀ through ReLU",
      [at] { at->input_gradient({.slope_of = at->x.data<float>(), .slope = Activation::relu}); });
  add("xᵀ·dy", [at] { at->weight_gradient(); });
}

// ── attention ──

struct AttentionMemory {
  explicit AttentionMemory(const AttentionShape& s)
      : shape(s),
        q(bench_numbers(s.batch * s.queries, s.heads * s.d)),
        k(bench_numbers(s.batch * s.keys, s.heads * s.d)),
        v(bench_numbers(s.batch * s.keys, s.heads * s.d)),
        z(bench_numbers(s.batch * s.queries, s.heads * s.d)),
        dz(bench_numbers(s.batch * s.queries, s.heads * s.d)),
        dq(bench_numbers(s.batch * s.queries, s.heads * s.d)),
        dk(bench_numbers(s.batch * s.keys, s.heads * s.d)),
        dv(bench_numbers(s.batch * s.keys, s.heads * s.d)),
        lse(bench_numbers(s.batch * s.heads, s.queries)) {
    forward();
  }

  HeadRows<const float> in(const Tensor& t) const {
    return {t.data<float>(), shape.heads * shape.d};
  }
  HeadRows<float> out(Tensor& t) const { return {t.write<float>(), shape.heads * shape.d}; }
  void forward() {
    attention_forward({.shape = shape,
                       .q = in(q),
                       .k = in(k),
                       .v = in(v),
                       .z = out(z),
                       .lse = lse.write<float>()});
  }
  void backward() {
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
  }

  AttentionShape shape;
  Tensor q, k, v, z, dz, dq, dk, dv, lse;
};

void add_attention(Index queries, Index keys, bool causal, std::vector<OwnedWork>& works) {
  constexpr Index kBatch = 64, kHeads = 4, kWidth = 32;
  const AttentionShape shape{.batch = kBatch,
                             .heads = kHeads,
                             .queries = queries,
                             .keys = keys,
                             .d = kWidth,
                             .causal = causal,
                             .scale = 0.1767766952966369};
  auto memory = std::make_shared<AttentionMemory>(shape);
  const double product = product_operations(queries, kWidth, keys);
  const std::string name =
      fmt::format("attention {} × {}{}", queries, keys, causal ? " causal" : "");
  const auto add = [&](const std::string& form, double products, std::function<void()> call) {
    works.push_back({.work = {.name = form,
                              .unit = "heads",
                              .batch = kBatch * kHeads,
                              .operations = products * product,
                              .call = std::move(call)},
                     .keeps = memory});
  };
  AttentionMemory* at = memory.get();
  add(name, 2, [at] { at->forward(); });
  add(name + " backward", 5, [at] { at->backward(); });
}

// ── rows of numbers ──

constexpr Index kRows = 448, kColumns = 128, kChoices = 14;

struct RowsMemory {
  Tensor x = bench_numbers(kRows, kColumns), y = bench_numbers(kRows, kColumns);
  Tensor dy = bench_numbers(kRows, kColumns), gain = bench_numbers(4, kColumns);
  Tensor mean = bench_numbers(2, kRows);
  Tensor m = Tensor::zeros({kRows, kColumns}, DType::f32),
         v = Tensor::zeros({kRows, kColumns}, DType::f32);
  std::vector<std::int32_t> targets = std::vector<std::int32_t>(to_size(kRows), 3);

  void norm() {
    auto *g = gain.write<float>(), *s = mean.write<float>();
    layer_norm({.x = x.rows<float>(),
                .gain = g,
                .bias = g + kColumns,
                .epsilon = 1e-5,
                .y = y.write_rows<float>(),
                .mean = s,
                .rstd = s + kRows});
  }
  void norm_backward() {
    auto *g = gain.write<float>(), *s = mean.write<float>();
    layer_norm_backward({.x = x.rows<float>(),
                         .dy = dy.rows<float>(),
                         .gain = g,
                         .mean = s,
                         .rstd = s + kRows,
                         .add = {},
                         .dx = y.write_rows<float>(),
                         .dgain = g + 2 * kColumns,
                         .dbias = g + 3 * kColumns,
                         .accumulate = false});
  }
  void adam() {
    const auto size = to_size(kRows * kColumns);
    adamw(AdamW<float>{.w = {y.write<float>(), size},
                       .m = {m.write<float>(), size},
                       .v = {v.write<float>(), size},
                       .g = dy.flat<float>(),
                       .step = 3});
  }
  void loss() {
    cross_entropy({.logits = heddle::matrix(x.data<float>(), kRows, kChoices),
                   .targets = targets.data(),
                   .weight = 0.01F,
                   .loss = mean.write<float>(),
                   .dlogits = heddle::matrix(y.write<float>(), kRows, kChoices)});
  }
};

}  // namespace

std::vector<OwnedWork> product_works() {
  constexpr Index kShard = 448;  // 64 problems of 7 tokens
  std::vector<OwnedWork> works;
  for (const auto& [k, n] : {std::pair<Index, Index>{128, 128}, {128, 384}, {128, 512}, {512, 128}})
    add_products(kShard, k, n, works);
  return works;
}

std::vector<OwnedWork> kernel_works() {
  std::vector<OwnedWork> works;
  add_attention(7, 7, false, works);
  add_attention(5, 5, true, works);
  add_attention(5, 7, false, works);
  add_attention(16, 16, false, works);
  auto memory = std::make_shared<RowsMemory>();
  RowsMemory* at = memory.get();
  const auto add = [&](const char* name, Index count, std::function<void()> call) {
    works.push_back(
        {.work = {.name = name, .unit = "numbers", .batch = count, .call = std::move(call)},
         .keeps = memory});
  };
  add("layer norm", kRows * kColumns, [at] { at->norm(); });
  add("layer norm backward", kRows * kColumns, [at] { at->norm_backward(); });
  add("softmax", kRows * kColumns,
      [at] { softmax(at->x.rows<float>(), at->y.write_rows<float>()); });
  add("cross-entropy", kRows * kChoices, [at] { at->loss(); });
  add("AdamW", kRows * kColumns, [at] { at->adam(); });
  return works;
}

}  // namespace heddle
