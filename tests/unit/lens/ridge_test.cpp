// Ridge probes: against solutions known by hand and by another way of solving.
#include "heddle/lens/probe/ridge.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/base/rng.hpp"

namespace heddle {
namespace {

using Rows = std::vector<std::vector<float>>;

std::vector<const float*> pointers(const Rows& rows) {
  std::vector<const float*> list;
  for (const auto& row : rows) list.push_back(row.data());
  return list;
}

Rows random_rows(std::size_t count, std::size_t width) {
  Rng rng(1, "ridge");
  Rows rows(count, std::vector<float>(width));
  for (auto& row : rows)
    for (float& x : row) x = static_cast<float>(3 + rng.normal());
  return rows;
}

ClassSum class_of(const Rows& rows, const std::vector<bool>& says_yes) {
  ClassSum yes{.count = 0, .sum = std::vector<double>(rows[0].size())};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!says_yes[i]) continue;
    yes.count += 1;
    for (std::size_t j = 0; j < yes.sum.size(); ++j) yes.sum[j] += static_cast<double>(rows[i][j]);
  }
  return yes;
}

/// Gauss and Jordan with pivots: nothing in common with Cholesky.
std::vector<double> eliminated(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t i = column; i < n; ++i)
      if (std::abs(a[i][column]) > std::abs(a[pivot][column])) pivot = i;
    std::swap(a[column], a[pivot]);
    std::swap(b[column], b[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == column) continue;
      const double factor = a[i][column] / a[column][column];
      for (std::size_t k = 0; k < n; ++k) a[i][k] -= factor * a[column][k];
      b[i] -= factor * b[column];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] /= a[i][i];
  return b;
}

TEST(Ridge, CholeskyOfAKnownMatrix) {
  // L = [2 0; 1 3], so A = [4 2; 2 10] and A (1, −1) = (2, −8).
  const Cholesky cholesky({4, 0, 2, 10}, 2);
  const std::vector<double> x = cholesky.solve({2, -8});
  EXPECT_DOUBLE_EQ(x[0], 1);
  EXPECT_DOUBLE_EQ(x[1], -1);
  EXPECT_THROW(Cholesky({1, 0, 2, 1}, 2), Error);
}

TEST(Ridge, IsTheDirectSolution) {
  constexpr std::size_t kWidth = 7, kRows = 61;
  const Rows rows = random_rows(kRows, kWidth);
  std::vector<bool> yes;
  for (const auto& row : rows) yes.push_back(row[0] + row[3] > 6.5F);
  Moments moments(kWidth);
  moments.add(pointers(rows));
  const LinearProbe probe = Ridge(moments).fit(class_of(rows, yes));

  std::vector<double> mean(kWidth);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < kWidth; ++i) mean[i] += static_cast<double>(row[i]) / kRows;
  std::vector<std::vector<double>> a(kWidth, std::vector<double>(kWidth));
  std::vector<double> b(kWidth);
  double trace = 0;
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t i = 0; i < kWidth; ++i) {
      const double x = static_cast<double>(rows[r][i]) - mean[i];
      b[i] += (yes[r] ? 1 : -1) * x;
      trace += x * x;
      for (std::size_t j = 0; j < kWidth; ++j)
        a[i][j] += x * (static_cast<double>(rows[r][j]) - mean[j]);
    }
  for (std::size_t i = 0; i < kWidth; ++i) a[i][i] += 1e-3 * trace / kWidth;
  const std::vector<double> expected = eliminated(a, b);
  for (std::size_t i = 0; i < kWidth; ++i) EXPECT_NEAR(probe.w[i], expected[i], 1e-9);

  // The threshold: the two classes' mean scores stand at the same distance from 0.
  double of_yes = 0, of_no = 0, count = 0;
  for (std::size_t r = 0; r < kRows; ++r) {
    (yes[r] ? of_yes : of_no) += probe.score(rows[r].data());
    count += yes[r] ? 1 : 0;
  }
  EXPECT_GT(of_yes, 0);
  EXPECT_NEAR(of_yes / count, -of_no / (kRows - count), 1e-9);
}

/// One feature: w = Σ y (x − x̄) / 1.001 Σ (x − x̄)².
TEST(Ridge, OneFeatureByHand) {
  const Rows rows{{0}, {0}, {0}, {4}};
  Moments moments(1);
  moments.add(pointers(rows));
  const LinearProbe probe = Ridge(moments).fit(class_of(rows, {false, false, false, true}));
  EXPECT_NEAR(probe.w[0], 6 / (1.001 * 12), 1e-12);
  EXPECT_NEAR(probe.threshold, 2 * probe.w[0], 1e-12);  // half way, though 3 of 4 say no
}

TEST(Ridge, TakenAwayIsNeverAdded) {
  const Rows rows = random_rows(40, 5);
  const auto all = pointers(rows);
  Moments some(5), rest(5);
  some.add(std::span(all).first(13));
  rest.add(all);
  rest.add(std::span(all).subspan(13), -1);
  EXPECT_EQ(rest.count(), some.count());
  const std::vector<double> a = rest.scatter(), b = some.scatter();
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j <= i; ++j) EXPECT_NEAR(a[i * 5 + j], b[i * 5 + j], 1e-10);
}

/// Rows that are all equal, or all of one class, say nothing.
TEST(Ridge, NothingToLearnScoresZero) {
  const Rows same(9, {0.1F, 0.7F}), other = random_rows(9, 2);
  Moments constant(2), varied(2);
  constant.add(pointers(same));
  varied.add(pointers(other));
  const std::vector<bool> half{true, false, true, false, true, false, true, false, true};
  EXPECT_EQ(Ridge(constant).fit(class_of(same, half)).score(same[0].data()), 0);
  EXPECT_EQ(Ridge(varied).fit(class_of(other, std::vector<bool>(9, true))).score(other[0].data()),
            0);
  EXPECT_EQ(Ridge(varied).fit(class_of(other, std::vector<bool>(9))).score(other[0].data()), 0);
  EXPECT_NE(Ridge(varied).fit(class_of(other, half)).score(other[0].data()), 0);
}

/// Rows far from zero that differ in their last bits only, in one direction. Rounding alone decides
/// what the scatter looks like; the fit must stand it.
TEST(Ridge, RowsThatAreAlmostEqualDoNotBreakIt) {
  constexpr std::size_t kWidth = 40;
  Rows rows(500, std::vector<float>(kWidth));
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t i = 0; i < kWidth; ++i)
      rows[r][i] = 3.0F + static_cast<float>(i) + (r % 3 == 0 ? 4e-6F : 0.0F);
  Moments moments(kWidth);
  moments.add(pointers(rows));
  std::vector<bool> half(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) half[r] = r % 2 == 0;
  EXPECT_TRUE(std::isfinite(Ridge(moments).fit(class_of(rows, half)).score(rows[0].data())));
}

}  // namespace
}  // namespace heddle
