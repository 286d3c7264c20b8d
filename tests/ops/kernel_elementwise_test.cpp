// Kernels on runs of numbers: sums, activations, AdamW, averages; and exp itself.
#include "heddle/kernels/adam.hpp"
#include "heddle/kernels/cpu/math.hpp"
#include "heddle/kernels/elementwise.hpp"
#include "tests/ops/kernel_testing.hpp"

namespace heddle::kernels::testing {
namespace {

const std::vector<Index> kCounts = {1, 3, 4, 7, 8, 15, 16, 17, 33, 100, 1027};

template <class T>
std::span<const T> in(const Grid<T>& g) {
  return {g.begin(), g.data.size()};
}
template <class T>
std::span<T> out(Grid<T>& g) {
  return g.data;
}

/// exp of one number by the baseline vectors.
float vector_exp(float x) {
  return baseline::exp(baseline::splat(x))[0];
}

TEST(KernelExp, IsWithinTwoUlp) {
  for (float x = -87.0F; x < 88.7F; x += 0.00731F) {
    const double exact = std::exp(static_cast<double>(x));
    ASSERT_NEAR(vector_exp(x), exact, 2 * 2 * kUnit * exact) << x;
  }
}

TEST(KernelExp, SpecialValues) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(vector_exp(0.0F), 1.0F);
  EXPECT_EQ(vector_exp(-0.0F), 1.0F);
  EXPECT_EQ(vector_exp(-kInfinity), 0.0F);
  EXPECT_EQ(vector_exp(-1e30F), 0.0F);
  EXPECT_EQ(vector_exp(-104.5F), 0.0F);
  EXPECT_EQ(vector_exp(kInfinity), kInfinity);
  EXPECT_EQ(vector_exp(88.8F), kInfinity);
  EXPECT_EQ(vector_exp(1e30F), kInfinity);
  EXPECT_TRUE(std::isfinite(vector_exp(88.72F)));
  EXPECT_TRUE(std::isnan(vector_exp(std::numeric_limits<float>::quiet_NaN())));
  // Denormal results keep an absolute error of about one smallest number.
  for (const float x : {-88.0F, -95.5F, -100.0F, -103.0F})
    EXPECT_NEAR(vector_exp(x), std::exp(static_cast<double>(x)), 2e-45 + 4 * kUnit * std::exp(x));
}

TEST(KernelElementwise, Add) {
  for_each_isa([] {
    for (const Index count : kCounts) {
      auto a = Grid<float>(1, count).fill(1);
      const auto b = Grid<float>(1, count).fill(2);
      Grid<float> y(1, count);
      add(in(a), in(b), out(y));
      for (Index i = 0; i < count; ++i) ASSERT_EQ(y(0, i), a(0, i) + b(0, i));
      add(in(a), in(b), out(a));
      EXPECT_EQ(a.data, y.data);
    }
  });
}

TEST(KernelElementwise, Activations) {
  for_each_isa([] {
    for (const Index count : kCounts)
      for (const Activation activation : {Activation::none, Activation::relu, Activation::gelu}) {
        const auto x = Grid<float>(1, count).fill(1, 12);
        const auto dy = Grid<float>(1, count).fill(2);
        const auto wide_x = x.wide();
        const auto wide_dy = dy.wide();
        Grid<float> y(1, count);
        Grid<double> wide_y(1, count);
        activate(activation, in(x), out(y));
        activate(activation, in(wide_x), out(wide_y));
        // gelu = x·s: exp(−2u) with |2u| < 150 is off by |2u| units where s is not yet 0 or 1, that
        // is for |2u| < 30; the rest is a few roundings.
        expect_within(y, wide_y,
                      x.absolute().mapped([](double v) { return 20 * kUnit * (v + 1e-6); }),
                      "activate");
        Grid<float> dx(1, count);
        Grid<double> wide_dx(1, count);
        const bool relu = activation == Activation::relu;
        activate_backward(
            {.activation = activation, .at = relu ? in(y) : in(x), .dy = in(dy), .dx = out(dx)});
        activate_backward({.activation = activation,
                           .at = relu ? in(wide_y) : in(wide_x),
                           .dy = in(wide_dy),
                           .dx = out(wide_dx)});
        expect_within(dx, wide_dx, 40 * kUnit, "activate_backward");
        auto in_place = dy;
        activate_backward({.activation = activation,
                           .at = relu ? in(y) : in(x),
                           .dy = in(in_place),
                           .dx = out(in_place)});
        EXPECT_EQ(in_place.data, dx.data);
      }
  });
}

TEST(KernelElementwise, ActivationsOfExtremes) {
  for_each_isa([] {
    const std::vector<float> x = {-1e4F, -50, -0.0F, 0, 50, 1e4F, std::nanf("")};
    std::vector<float> y(x.size());
    activate(Activation::gelu, x, y);
    EXPECT_EQ(y[0], 0.0F);
    EXPECT_EQ(y[1], 0.0F);
    EXPECT_EQ(y[3], 0.0F);
    EXPECT_EQ(y[4], 50.0F);
    EXPECT_EQ(y[5], 1e4F);
    EXPECT_TRUE(std::isnan(y[6]));
    std::vector<float> slope(x.size());
    const std::vector<float> ones(x.size(), 1.0F);
    activate_backward({.activation = Activation::gelu,
                       .at = std::span(x),
                       .dy = std::span(ones),
                       .dx = std::span(slope)});
    EXPECT_EQ(slope[0], 0.0F);
    EXPECT_EQ(slope[3], 0.5F);
    EXPECT_EQ(slope[5], 1.0F);
    activate(Activation::relu, x, y);
    EXPECT_EQ(y[0], 0.0F);
    EXPECT_EQ(y[5], 1e4F);
    EXPECT_TRUE(std::isnan(y[6]));  // trouble must not be hidden
  });
}

TEST(KernelElementwise, SumOfSquaresHasTheSameBitsOnEveryInstructionSet) {
  for (const Index count : kCounts) {
    const auto x = Grid<float>(1, count).fill(1, 100);
    const auto wide = x.wide();
    const double expected = sum_of_squares(in(wide));
    pin_isa("baseline");
    const double baseline = sum_of_squares(in(x));
    EXPECT_NEAR(baseline, expected, static_cast<double>(count) * 0x1p-53 * expected);
    for_each_isa([&] { EXPECT_EQ(sum_of_squares(in(x)), baseline); });
  }
}

template <class T>
struct Weights {
  Grid<T> w, m, v, g;

  explicit Weights(Index count) : w(1, count), m(1, count), v(1, count), g(1, count) {
    w.fill(1);
    m.fill_with(0);
    v.fill_with(0);
  }
  void step(long number, double epsilon) {
    g.fill(static_cast<std::uint64_t>(number) + 10, 0.1);
    adamw(AdamW<T>{.w = out(w),
                   .m = out(m),
                   .v = out(v),
                   .g = in(g),
                   .rate = 0.01,
                   .epsilon = epsilon,
                   .weight_decay = 0.1,
                   .gradient_scale = 0.5,
                   .step = number});
  }
};

TEST(KernelAdam, MatchesTwinOverManySteps) {
  for_each_isa([] {
    for (const Index count : kCounts) {
      Weights<float> narrow(count);
      Weights<double> wide(count);
      const int steps = 30;
      for (int t = 1; t <= steps; ++t) {
        narrow.step(t, 1e-9);
        wide.step(t, 1e-9);
      }
      // A step moves a weight by about rate, with some ten roundings, and rounds the weight itself.
      // m may cancel: its error is relative to |g|, and a step divides it by √v, about |g| as well.
      expect_within(narrow.w, wide.w, steps * kUnit * (2 + 0.01 * 100), "w");
      expect_within(narrow.m, wide.m, 10 * kUnit * 0.05, "m");
      expect_within(narrow.v, wide.v, 10 * steps * kUnit * 0.0025, "v");
    }
  });
}

TEST(KernelAdam, AWeightWithoutGradientLeavesNoDenormals) {
  for_each_isa([] {
    std::vector<float> w(20, 1.0F);
    std::vector<float> m(20, 1e-35F);
    std::vector<float> v(20, 1e-37F);
    const std::vector<float> g(20, 0.0F);
    adamw(AdamW<float>{.w = w, .m = m, .v = v, .g = g, .rate = 1e-3, .step = 5});
    EXPECT_EQ(m, std::vector<float>(20, 0.0F));
    EXPECT_EQ(v, std::vector<float>(20, 0.0F));
    EXPECT_EQ(w, std::vector<float>(20, 1.0F));
  });
}

TEST(KernelAdam, MoveAverage) {
  for_each_isa([] {
    for (const Index count : kCounts) {
      const auto w = Grid<float>(1, count).fill(1);
      auto average = Grid<float>(1, count).fill(2);
      auto wide_average = average.wide();
      const auto wide_w = w.wide();
      move_average(in(w), 0.999, out(average));
      move_average(in(wide_w), 0.999, out(wide_average));
      expect_within(average, wide_average, 4 * kUnit, "average");
    }
  });
}

}  // namespace
}  // namespace heddle::kernels::testing
