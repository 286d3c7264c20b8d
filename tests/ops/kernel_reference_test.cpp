// The twins judge the kernels; here they are judged: each backward twin against central differences
// of its forward twin, in double. ∂f/∂x ≈ (f(x + h) − f(x − h)) / 2h.
#include <functional>

#include "heddle/base/index.hpp"
#include "heddle/kernels/attention.hpp"
#include "heddle/kernels/elementwise.hpp"
#include "heddle/kernels/gemm.hpp"
#include "heddle/kernels/loss.hpp"
#include "heddle/kernels/norm.hpp"
#include "heddle/kernels/softmax.hpp"
#include "tests/ops/kernel_testing.hpp"

namespace heddle::kernels::testing {
namespace {

/// Σ a∘b: a scalar that depends on every output, with gradient b.
double weighted_sum(const Grid<double>& a, const Grid<double>& b) {
  double sum = 0;
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < a.columns; ++j) sum += a(i, j) * b(i, j);
  return sum;
}

/// f's central difference for each number of x agrees with `gradient`, to 1e-7 of its largest
/// entry: with h = 1e-5 the formula is off by h², rounding by 1e-16 / h.
void expect_gradient(Grid<double>& x, const Grid<double>& gradient,
                     const std::function<double()>& f, const char* what) {
  const double h = 1e-5;
  const double size = largest(gradient);
  ASSERT_GT(size, 0) << what;
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < x.columns; ++j) {
      const double at = x(i, j);
      x(i, j) = at + h;
      const double above = f();
      x(i, j) = at - h;
      const double below = f();
      x(i, j) = at;
      ASSERT_NEAR((above - below) / (2 * h), gradient(i, j), 1e-7 * size)
          << what << " at " << i << ", " << j;
    }
}

TEST(KernelReference, Attention) {
  std::vector<std::uint8_t> valid(2 * 5, 1);
  valid[1] = valid[7] = 0;
  const AttentionShape s{.batch = 2,
                         .heads = 2,
                         .queries = 4,
                         .keys = 5,
                         .d = 3,
                         .causal = true,
                         .offset = 1,
                         .key_valid = valid.data(),
                         .scale = 0.7};
  const Index width = s.heads * s.d;
  auto q = Grid<double>(s.batch * s.queries, width, 1).fill(1, 2);
  auto k = Grid<double>(s.batch * s.keys, width, 2).fill(2, 2);
  auto v = Grid<double>(s.batch * s.keys, width).fill(3);
  const auto dz = Grid<double>(s.batch * s.queries, width).fill(4);
  Grid<double> z(s.batch * s.queries, width);
  Grid<double> lse(s.batch * s.heads, s.queries);
  Grid<double> dq(s.batch * s.queries, width);
  Grid<double> dk(s.batch * s.keys, width);
  Grid<double> dv(s.batch * s.keys, width);
  const auto in = [](const Grid<double>& g) {
    return HeadRows<const double>{.data = g.begin(), .stride = g.stride};
  };
  const auto out = [](Grid<double>& g) {
    return HeadRows<double>{.data = g.begin(), .stride = g.stride};
  };
  const auto f = [&] {
    attention_forward(
        {.shape = s, .q = in(q), .k = in(k), .v = in(v), .z = out(z), .lse = lse.begin()});
    return weighted_sum(z, dz);
  };
  f();
  attention_backward({.shape = s,
                      .q = in(q),
                      .k = in(k),
                      .v = in(v),
                      .z = in(z),
                      .dz = in(dz),
                      .lse = lse.begin(),
                      .dq = out(dq),
                      .dk = out(dk),
                      .dv = out(dv)});
  expect_gradient(q, dq, f, "dq");
  expect_gradient(k, dk, f, "dk");
  expect_gradient(v, dv, f, "dv");
}

TEST(KernelReference, LayerNorm) {
  auto x = Grid<double>(4, 7).fill(1, 2);
  auto gain = Grid<double>(1, 7).fill(2);
  auto bias = Grid<double>(1, 7).fill(3);
  const auto dy = Grid<double>(4, 7).fill(4);
  Grid<double> y(4, 7);
  Grid<double> mean(1, 4);
  Grid<double> rstd(1, 4);
  Grid<double> dx(4, 7);
  Grid<double> dgain(1, 7);
  Grid<double> dbias(1, 7);
  const auto f = [&] {
    layer_norm({.x = std::as_const(x).view(),
                .gain = gain.begin(),
                .bias = bias.begin(),
                .epsilon = 1e-3,
                .y = y.view(),
                .mean = mean.begin(),
                .rstd = rstd.begin()});
    return weighted_sum(y, dy);
  };
  f();
  layer_norm_backward({.x = std::as_const(x).view(),
                       .dy = dy.view(),
                       .gain = gain.begin(),
                       .mean = mean.begin(),
                       .rstd = rstd.begin(),
                       .add = {},
                       .dx = dx.view(),
                       .dgain = dgain.begin(),
                       .dbias = dbias.begin(),
                       .accumulate = false});
  expect_gradient(x, dx, f, "dx");
  expect_gradient(gain, dgain, f, "dgain");
  expect_gradient(bias, dbias, f, "dbias");
}

TEST(KernelReference, Softmax) {
  auto x = Grid<double>(3, 6).fill(1, 3);
  const auto dy = Grid<double>(3, 6).fill(2);
  Grid<double> y(3, 6);
  Grid<double> dx(3, 6);
  const auto f = [&] {
    softmax(std::as_const(x).view(), y.view());
    return weighted_sum(y, dy);
  };
  f();
  softmax_backward(std::as_const(y).view(), dy.view(), dx.view());
  expect_gradient(x, dx, f, "dx");
}

TEST(KernelReference, CrossEntropy) {
  auto x = Grid<double>(4, 6).fill(1, 3);
  const std::vector<std::int32_t> targets = {2, kNoTarget, 5, 0};
  Grid<double> loss(1, 4);
  Grid<double> dx(4, 6);
  const auto f = [&] {
    cross_entropy({.logits = std::as_const(x).view(),
                   .targets = targets.data(),
                   .weight = 0.5,
                   .loss = loss.begin(),
                   .dlogits = dx.view()});
    return 0.5 * (loss(0, 0) + loss(0, 1) + loss(0, 2) + loss(0, 3));
  };
  f();
  const Grid<double> gradient = dx;
  expect_gradient(x, gradient, f, "dlogits");
}

TEST(KernelReference, Activations) {
  for (const Activation activation : {Activation::relu, Activation::gelu}) {
    auto x = Grid<double>(1, 40).fill(1, 4);
    for (double& value : x.data)
      if (std::abs(value) < 1e-3) value = 0.5;  // away from the kink
    const auto dy = Grid<double>(1, 40).fill(2);
    Grid<double> y(1, 40);
    Grid<double> dx(1, 40);
    const auto f = [&] {
      activate(activation, std::span<const double>(x.data), y.data);
      return weighted_sum(y, dy);
    };
    f();
    const auto& at = activation == Activation::relu ? y.data : x.data;
    activate_backward(
        ActivateBackward<double>{.activation = activation, .at = at, .dy = dy.data, .dx = dx.data});
    expect_gradient(x, dx, f, "dx");
  }
}

/// The three products of a linear layer belong together: dx = dy·Wᵀ and dw = xᵀdy are the gradients
/// of y = x·W + bias, through the epilogue's activation.
TEST(KernelReference, LinearLayer) {
  auto x = Grid<double>(4, 3, 1).fill(1);
  auto w = Grid<double>(3, 5, 2).fill(2);
  auto bias = Grid<double>(1, 5).fill(3);
  const auto upstream = Grid<double>(4, 5).fill(4);
  Grid<double> pre(4, 5);
  Grid<double> y(4, 5);
  std::vector<double> panels(to_size(panel_size(5, 5)));
  const auto f = [&] {
    pack(std::as_const(w).view(), panels.data());
    matmul(std::as_const(x).view(), Panels<double>{.data = panels.data(), .k = 3, .n = 5},
           {.bias = bias.begin(), .pre_activation = pre.begin(), .activation = Activation::gelu},
           y.view());
    return weighted_sum(y, upstream);
  };
  f();
  Grid<double> dy(4, 5);
  activate_backward(ActivateBackward<double>{
      .activation = Activation::gelu, .at = pre.data, .dy = upstream.data, .dx = dy.data});
  Grid<double> dx(4, 3);
  Grid<double> dw(3, 5);
  Grid<double> dbias(1, 5);
  weight_gradient({.x = std::as_const(x).view(),
                   .dy = std::as_const(dy).view(),
                   .dw = dw.view(),
                   .dbias = dbias.begin(),
                   .accumulate = false});
  pack_transposed(std::as_const(w).view(), panels.data());
  matmul(std::as_const(dy).view(), Panels<double>{.data = panels.data(), .k = 5, .n = 3}, {},
         dx.view());
  expect_gradient(x, dx, f, "dx");
  expect_gradient(w, dw, f, "dw");
  expect_gradient(bias, dbias, f, "dbias");
}

}  // namespace
}  // namespace heddle::kernels::testing
