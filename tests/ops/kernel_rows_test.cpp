// Kernels that work row by row: layer normalisation, softmax, cross-entropy, argmax, embedding.
#include "heddle/base/index.hpp"
#include "heddle/kernels/embedding.hpp"
#include "heddle/kernels/loss.hpp"
#include "heddle/kernels/norm.hpp"
#include "heddle/kernels/softmax.hpp"
#include "tests/ops/kernel_testing.hpp"

namespace heddle::kernels::testing {
namespace {

const std::vector<Index> kWidths = {1, 2, 3, 4, 7, 8, 14, 16, 17, 31, 33, 48, 128, 129, 1000};
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <class T>
struct Norm {
  Grid<T> x, gain, bias, y, mean, rstd, dy, add, dx, dgain, dbias;

  Norm(Index rows, Index columns)
      : x(rows, columns, 1),
        gain(1, columns),
        bias(1, columns),
        y(rows, columns, 2),
        mean(1, rows),
        rstd(1, rows),
        dy(rows, columns, 3),
        add(rows, columns, 1),
        dx(rows, columns, 4),
        dgain(1, columns),
        dbias(1, columns) {
    x.fill(1, 3);
    gain.fill(2);
    bias.fill(3);
    dy.fill(4);
    add.fill(5);
    dgain.fill(6);
    dbias.fill(7);
  }
  void forward() {
    layer_norm({x.view(), gain.begin(), bias.begin(), 1e-5, y.view(), mean.begin(), rstd.begin()});
  }
  void backward(bool with_add, bool accumulate) {
    layer_norm_backward({x.view(), dy.view(), gain.begin(), mean.begin(), rstd.begin(),
                         with_add ? add.view() : Matrix<T>{}, dx.view(), dgain.begin(),
                         dbias.begin(), accumulate});
  }
};

TEST(KernelRows, LayerNorm) {
  for_each_isa([] {
    for (const Index columns : kWidths)
      for (const bool flag : {false, true}) {
        Norm<float> narrow(9, columns);
        Norm<double> wide(9, columns);
        narrow.forward();
        wide.forward();
        narrow.backward(flag, !flag);
        wide.backward(flag, !flag);
        // The mean is off by (columns/lanes + lanes) units of 3 at most; 1/std magnifies that.
        const double rstd = largest(wide.rstd);
        const double unit = kUnit * (static_cast<double>(columns) / 4 + 16) * 3 * rstd;
        expect_within(narrow.mean, wide.mean, unit / rstd, "mean");
        expect_within(narrow.rstd, wide.rstd, unit * rstd * 3, "rstd");
        const double u = std::sqrt(static_cast<double>(columns));  // the most that |x̂| can be
        expect_within(narrow.y, wide.y, unit * (1 + u), "layer_norm");
        expect_within(narrow.dx, wide.dx, unit * rstd * 4 * (1 + u * u), "dx");
        expect_within(narrow.dgain, wide.dgain, 10 * unit * (1 + u), "dgain");
        expect_within(narrow.dbias, wide.dbias, 10 * 10 * kUnit, "dbias");
      }
  });
}

TEST(KernelRows, LayerNormInPlace) {
  for_each_isa([] {
    Norm<float> apart(5, 37);
    apart.forward();
    apart.backward(true, false);
    for (const bool over_add : {false, true}) {
      Norm<float> p(5, 37);
      p.forward();
      Grid<float>& target = over_add ? p.add : p.dy;
      layer_norm_backward({.x = p.x.view(),
                           .dy = p.dy.view(),
                           .gain = p.gain.begin(),
                           .mean = p.mean.begin(),
                           .rstd = p.rstd.begin(),
                           .add = p.add.view(),
                           .dx = target.view(),
                           .dgain = p.dgain.begin(),
                           .dbias = p.dbias.begin(),
                           .accumulate = false});
      for (Index i = 0; i < 5; ++i)
        for (Index j = 0; j < 37; ++j) ASSERT_EQ(target(i, j), apart.dx(i, j));
      EXPECT_EQ(p.dgain.data, apart.dgain.data);
    }
  });
}

TEST(KernelRows, LayerNormOfLargeMeanDoesNotCancel) {
  for_each_isa([] {
    Norm<float> narrow(3, 64);
    Norm<double> wide(3, 64);
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 64; ++j) wide.x(i, j) = narrow.x(i, j) += 1000.0F;
    narrow.forward();
    wide.forward();
    // The mean 1000 is off by a few units; the spread is 3/√3. One pass would lose all digits.
    expect_within(narrow.y, wide.y, 16 * kUnit * 1000 * 4, "layer_norm");
  });
}

TEST(KernelRows, Softmax) {
  for_each_isa([] {
    for (const Index columns : kWidths) {
      auto x = Grid<float>(6, columns, 1).fill(1, 8);
      Grid<float> y(6, columns, 2);
      Grid<double> expected(6, columns);
      softmax(std::as_const(x).view(), y.view());
      softmax(std::as_const(x).wide().view(), expected.view());
      // exp(x − top) with |x| ≤ 8: the subtraction is off by 16 units; the sum by its length.
      const double unit = kUnit * (16 + 8 + static_cast<double>(columns));
      expect_within(y, expected, expected.mapped([&](double p) { return p * unit; }), "softmax");

      const auto dy = Grid<float>(6, columns, 3).fill(2);
      Grid<float> dx(6, columns, 4);
      Grid<double> wide_dx(6, columns);
      softmax_backward(std::as_const(y).view(), dy.view(), dx.view());
      const auto wide_y = std::as_const(y).wide();
      const auto wide_dy = dy.wide();
      softmax_backward(wide_y.view(), wide_dy.view(), wide_dx.view());
      expect_within(dx, wide_dx, kUnit * (static_cast<double>(columns) + 4), "softmax_backward");

      softmax(std::as_const(x).view(), x.view());  // in place
      for (Index i = 0; i < 6; ++i)
        for (Index j = 0; j < columns; ++j) ASSERT_EQ(x(i, j), y(i, j));
    }
  });
}

TEST(KernelRows, SoftmaxOfSpecialValues) {
  for_each_isa([] {
    Grid<float> x(5, 19);
    x.fill_with(-kInfinity);  // row 0: nothing to choose from
    x(1, 7) = -3e38F;         // row 1: one choice, far out
    x(2, 0) = 5;              // row 2: two equal choices, the rest −inf
    x(2, 18) = 5;
    for (Index j = 0; j < 19; ++j) x(3, j) = j == 4 ? 88.0F : -1e30F;
    for (Index j = 0; j < 19; ++j) x(4, j) = j == 11 ? kNan : 1.0F;
    Grid<float> y(5, 19);
    softmax(std::as_const(x).view(), y.view());
    for (Index j = 0; j < 19; ++j) {
      EXPECT_EQ(y(0, j), 0.0F);
      EXPECT_EQ(y(1, j), j == 7 ? 1.0F : 0.0F);
      EXPECT_EQ(y(2, j), j == 0 || j == 18 ? 0.5F : 0.0F);
      EXPECT_EQ(y(3, j), j == 4 ? 1.0F : 0.0F);
      EXPECT_TRUE(std::isnan(y(4, j)));
    }
  });
}

TEST(KernelRows, CrossEntropy) {
  for_each_isa([] {
    for (const Index columns : kWidths) {
      const auto logits = Grid<float>(5, columns, 1).fill(1, 6);
      const auto last = static_cast<std::int32_t>(columns - 1);
      const std::vector<std::int32_t> targets = {0, last, kNoTarget, last / 2, kNoTarget};
      Grid<float> loss(1, 5);
      Grid<float> d(5, columns, 2);
      Grid<double> wide_loss(1, 5);
      Grid<double> wide_d(5, columns);
      const auto wide_logits = logits.wide();
      cross_entropy({.logits = logits.view(),
                     .targets = targets.data(),
                     .weight = 0.25F,
                     .loss = loss.begin(),
                     .dlogits = d.view()});
      cross_entropy({.logits = wide_logits.view(),
                     .targets = targets.data(),
                     .weight = 0.25,
                     .loss = wide_loss.begin(),
                     .dlogits = wide_d.view()});
      const double unit = kUnit * (12 + 8 + static_cast<double>(columns));
      expect_within(loss, wide_loss, unit + 2 * kUnit * 20, "loss");
      expect_within(d, wide_d, unit, "dlogits");
      for (Index j = 0; j < columns; ++j) ASSERT_EQ(d(2, j), 0.0F);
      Grid<float> alone(1, 5);  // forward only gives the same bits
      cross_entropy({.logits = logits.view(),
                     .targets = targets.data(),
                     .weight = 0.25F,
                     .loss = alone.begin(),
                     .dlogits = {}});
      EXPECT_EQ(alone.data, loss.data);
    }
  });
}

TEST(KernelRows, ArgmaxTakesTheFirstOfEqualsAndNeverNan) {
  for_each_isa([] {
    for (const Index columns : kWidths)
      for (Index at = 0; at < columns; ++at) {
        Grid<float> x(3, columns, 1);
        x.fill(static_cast<std::uint64_t>(at + 1));
        x(0, at) = 2;
        if (at + 1 < columns) x(0, columns - 1) = 2;  // an equal one behind
        for (Index j = 0; j < columns; ++j) x(1, j) = j == at ? -5.0F : kNan;
        for (Index j = 0; j < columns; ++j) x(2, j) = j == at ? -kInfinity : kNan;
        std::vector<std::int32_t> best(3);
        argmax(std::as_const(x).view(), best.data());
        EXPECT_EQ(best, std::vector<std::int32_t>(3, static_cast<std::int32_t>(at)));
        std::vector<std::int32_t> wide(3);
        argmax(std::as_const(x).wide().view(), wide.data());
        EXPECT_EQ(best, wide);
      }
    Grid<float> none(1, 5);
    none.fill_with(kNan);
    std::int32_t best = 99;
    argmax(std::as_const(none).view(), &best);
    EXPECT_EQ(best, 0);
  });
}

TEST(KernelRows, Embedding) {
  for_each_isa([] {
    for (const Index columns : kWidths) {
      const auto table = Grid<float>(6, columns, 1).fill(1);
      const auto positions = Grid<float>(4, columns, 2).fill(2);
      const std::vector<std::int32_t> ids = {5, 0, 3, 3, 1};
      const std::vector<std::int32_t> places = {0, 1, 2, 3, 0};
      Grid<float> plain(5, columns, 3);
      Grid<float> placed(5, columns, 3);
      embedding({.table = table.view(), .ids = ids.data(), .y = plain.view()});
      embedding({.table = table.view(),
                 .ids = ids.data(),
                 .positions = positions.view(),
                 .position_ids = places.data(),
                 .y = placed.view()});
      ASSERT_TRUE(plain.fenced() && placed.fenced());
      for (Index i = 0; i < 5; ++i)
        for (Index j = 0; j < columns; ++j) {
          const auto row = to_size(i);
          ASSERT_EQ(plain(i, j), table(ids[row], j));
          ASSERT_EQ(placed(i, j), table(ids[row], j) + positions(places[row], j));
        }
      auto dtable = Grid<float>(6, columns, 1).fill(3);
      auto wide = dtable.wide();
      const auto wide_placed = placed.wide();
      embedding_backward(std::as_const(placed).view(), ids.data(), dtable.view());
      embedding_backward(wide_placed.view(), ids.data(), wide.view());
      expect_within(dtable, wide, 3 * 5 * kUnit, "dtable");
    }
  });
}

TEST(KernelRows, ARowHasTheSameBitsAloneAndInABatch) {
  for_each_isa([] {
    Norm<float> all(20, 70);
    all.forward();
    Grid<float> soft(20, 70);
    softmax(std::as_const(all.x).view(), soft.view());
    for (const Index i : {0, 7, 19}) {
      Norm<float> one(1, 70);
      for (Index j = 0; j < 70; ++j) one.x(0, j) = all.x(i, j);
      one.forward();
      Grid<float> alone(1, 70);
      softmax(std::as_const(one.x).view(), alone.view());
      for (Index j = 0; j < 70; ++j) {
        ASSERT_EQ(one.y(0, j), all.y(i, j));
        ASSERT_EQ(alone(0, j), soft(i, j));
      }
    }
  });
}

}  // namespace
}  // namespace heddle::kernels::testing
