// Matrix products against their double twins, on every instruction set, at typical and odd shapes.
#include "heddle/base/index.hpp"
#include "heddle/kernels/gemm.hpp"
#include "tests/ops/kernel_testing.hpp"

namespace heddle::kernels::testing {
namespace {

struct Sizes {
  Index m, k, n;
};
const std::vector<Sizes> kSizes = {
    {.m = 1, .k = 1, .n = 1},      {.m = 1, .k = 128, .n = 14},   {.m = 2, .k = 3, .n = 5},
    {.m = 7, .k = 17, .n = 33},    {.m = 13, .k = 31, .n = 15},   {.m = 12, .k = 32, .n = 32},
    {.m = 70, .k = 128, .n = 48},  {.m = 25, .k = 128, .n = 14},  {.m = 5, .k = 300, .n = 17},
    {.m = 30, .k = 512, .n = 128}, {.m = 250, .k = 257, .n = 31}, {.m = 481, .k = 5, .n = 64},
    {.m = 20, .k = 601, .n = 61},  {.m = 40, .k = 70, .n = 80}};

template <class T>
std::vector<T> packed(const Grid<T>& w, bool transposed) {
  const Index k = transposed ? w.columns : w.rows;
  const Index n = transposed ? w.rows : w.columns;
  // One number more than allowed, to see that it stays.
  std::vector<T> panels(to_size(panel_size(k, n)) + 1, static_cast<T>(kFence));
  if (transposed)
    pack_transposed(w.view(), panels.data());
  else
    pack(w.view(), panels.data());
  EXPECT_EQ(panels.back(), static_cast<T>(kFence));
  return panels;
}

/// x·W or x·Wᵀ with an epilogue.
template <class T>
void product(const Grid<T>& x, const Grid<T>& w, bool transposed, const Epilogue<T>& epilogue,
             Grid<T>& y) {
  const std::vector<T> panels = packed(w, transposed);
  matmul(x.view(), {panels.data(), x.columns, y.columns}, epilogue, y.view());
}

/// |error of Σ_p x_p w_p| ≤ (k + 2) · unit · Σ_p |x_p w_p|: one rounding per term at most.
Grid<double> sum_tolerance(const Grid<float>& x, const Grid<float>& w, bool transposed, Index n) {
  Grid<double> tolerance(x.rows, n);
  product<double>(x.absolute(), w.absolute(), transposed, {}, tolerance);
  return tolerance.mapped(
      [&](double sum) { return static_cast<double>(x.columns + 2) * kUnit * sum + 1e-30; });
}

TEST(KernelGemm, MatchesTwin) {
  for_each_isa([] {
    for (const auto& [m, k, n] : kSizes)
      for (const bool transposed : {false, true}) {
        const auto x = Grid<float>(m, k, 3).fill(1);
        const auto w = transposed ? Grid<float>(n, k, 2).fill(2) : Grid<float>(k, n, 2).fill(2);
        Grid<float> y(m, n, 5);
        Grid<double> expected(m, n);
        product<float>(x, w, transposed, {}, y);
        product<double>(x.wide(), w.wide(), transposed, {}, expected);
        expect_within(y, expected, sum_tolerance(x, w, transposed, n), "matmul");
      }
  });
}

struct Case {
  bool bias, keep, residual, in_place, slope;
  Activation activation;
};

/// Two layers of the same numbers, one float and one double, for one case.
template <class T>
struct Layer {
  Grid<T> bias, keep, slope_of, residual, y;

  Layer(Index m, Index n) : bias(1, n), keep(m, n), slope_of(m, n), residual(m, n, 1), y(m, n, 2) {
    bias.fill(3);
    slope_of.fill(4);
    residual.fill(5);
    y.fill(6);
  }
  Epilogue<T> epilogue(const Case& c) {
    Epilogue<T> e;
    if (c.bias) e.bias = bias.begin();
    if (c.keep) e.pre_activation = keep.begin();
    e.activation = c.activation;
    if (c.slope) {
      e.slope_of = slope_of.begin();
      e.slope = c.activation == Activation::gelu ? Activation::relu : Activation::gelu;
    }
    if (c.residual) e.residual = c.in_place ? y.view() : residual.view();
    return e;
  }
};

TEST(KernelGemm, Epilogues) {
  for_each_isa([] {
    for (const auto& [m, k, n] : {Sizes{.m = 1, .k = 1, .n = 1},
                                  {.m = 1, .k = 128, .n = 14},
                                  {.m = 13, .k = 31, .n = 33},
                                  {.m = 14, .k = 37, .n = 62},
                                  {.m = 5, .k = 300, .n = 17}})
      for (unsigned bits = 0; bits < 96; ++bits) {
        const Case c{.bias = (bits & 1U) != 0,
                     .keep = (bits & 2U) != 0,
                     .residual = (bits & 4U) != 0,
                     .in_place = (bits & 8U) != 0,
                     .slope = (bits & 16U) != 0,
                     .activation = static_cast<Activation>(bits / 32)};
        const auto x = Grid<float>(m, k).fill(1);
        const auto w = Grid<float>(k, n).fill(2);
        Layer<float> narrow(m, n);
        Layer<double> wide(m, n);
        product<float>(x, w, false, narrow.epilogue(c), narrow.y);
        product<double>(x.wide(), w.wide(), false, wide.epilogue(c), wide.y);
        // An activation stretches an error at most 1.13-fold, so does a slope; the rest adds a few
        // roundings of numbers not larger than |sum| + |bias| + |residual|.
        const double size = static_cast<double>(k) + 2;
        const Grid<double> tolerance = sum_tolerance(x, w, false, n).mapped([&](double sum) {
          return 1.3 * sum + 12 * kUnit * (size > 20 ? 20 : size);
        });
        expect_within(narrow.y, wide.y, tolerance, "epilogue " + std::to_string(bits));
        if (c.keep) expect_within(narrow.keep, wide.keep, tolerance, "pre-activation");
      }
  });
}

TEST(KernelGemm, TheSlopeOfAReluLetsSumsThroughOrStopsThem) {
  for_each_isa([] {
    for (const auto& [m, k, n] : {Sizes{.m = 1, .k = 3, .n = 1},
                                  {.m = 7, .k = 128, .n = 14},
                                  {.m = 14, .k = 37, .n = 62},
                                  {.m = 25, .k = 601, .n = 80}}) {
      const auto x = Grid<float>(m, k).fill(1);
      const auto w = Grid<float>(k, n).fill(2);
      auto slope_of = Grid<float>(m, n).fill(3);
      slope_of(0, 0) = 0;
      Grid<float> plain(m, n), dense(m, n), padded(m, n, 2);
      const Epilogue<float> through{.slope_of = slope_of.begin(), .slope = Activation::relu};
      product<float>(x, w, false, {}, plain);
      product<float>(x, w, false, through, dense);   // within the micro-kernel
      product<float>(x, w, false, through, padded);  // after it
      for (Index i = 0; i < m; ++i)
        for (Index j = 0; j < n; ++j) {
          const float expected = slope_of(i, j) > 0 ? plain(i, j) : 0;
          ASSERT_EQ(dense(i, j), expected) << n << " columns: " << i << ", " << j;
          ASSERT_EQ(padded(i, j), expected) << n << " columns: " << i << ", " << j;
        }
    }
  });
}

TEST(KernelGemm, WeightGradient) {
  for_each_isa([] {
    for (const auto& [k, m, n] : kSizes)  // the depth m takes the long one of the three
      for (const bool accumulate : {false, true}) {
        const auto x = Grid<float>(m, k, 1).fill(1);
        const auto dy = Grid<float>(m, n, 3).fill(2);
        auto dw = Grid<float>(k, n, 2).fill(3);
        auto dbias = Grid<float>(1, n).fill(4);
        auto wide_dw = dw.wide();
        auto wide_dbias = dbias.wide();
        const auto wide_x = x.wide();
        const auto wide_dy = dy.wide();
        weight_gradient({.x = x.view(),
                         .dy = dy.view(),
                         .dw = dw.view(),
                         .dbias = dbias.begin(),
                         .accumulate = accumulate});
        weight_gradient({.x = wide_x.view(),
                         .dy = wide_dy.view(),
                         .dw = wide_dw.view(),
                         .dbias = wide_dbias.begin(),
                         .accumulate = accumulate});
        // Σ |x dy| + |dw| ≤ m + 1, since no number is larger than 1.
        const auto terms = static_cast<double>(m + 1);
        expect_within(dw, wide_dw, (terms + 1) * kUnit * terms / 2, "dw");
        expect_within(dbias, wide_dbias, (terms + 1) * kUnit * terms / 2, "dbias");
        weight_gradient({.x = x.view(),
                         .dy = dy.view(),
                         .dw = dw.view(),
                         .dbias = nullptr,
                         .accumulate = accumulate});  // no bias: no crash
      }
  });
}

TEST(KernelGemm, ARowHasTheSameBitsAloneAndInABatch) {
  for_each_isa([] {
    for (const auto& [k, n] : {std::pair<Index, Index>{128, 128}, {512, 40}, {17, 14}}) {
      const auto x = Grid<float>(263, k).fill(1);
      const auto w = Grid<float>(k, n).fill(2);
      const auto bias = Grid<float>(1, n).fill(3);
      for (const Activation activation : {Activation::none, Activation::gelu}) {
        const Epilogue<float> epilogue{.bias = bias.begin(), .activation = activation};
        Grid<float> all(x.rows, n);
        product<float>(x, w, false, epilogue, all);
        for (const Index count : {1, 2, 5, 7, 11, 23}) {
          Grid<float> part(count, k);
          const Index first = 240 - count;  // across the border of a row block
          for (Index i = 0; i < count; ++i)
            for (Index p = 0; p < k; ++p) part(i, p) = x(first + i, p);
          Grid<float> y(count, n);
          product<float>(part, w, false, epilogue, y);
          for (Index i = 0; i < count; ++i)
            for (Index j = 0; j < n; ++j) ASSERT_EQ(y(i, j), all(first + i, j)) << count;
        }
      }
    }
  });
}

}  // namespace
}  // namespace heddle::kernels::testing
