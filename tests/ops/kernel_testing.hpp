// What the kernel tests share: the same numbers in float and double, fences around outputs, and
// tolerances that follow from rounding.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle::kernels::testing {

/// The largest relative error of one float operation: 2⁻²⁴.
inline constexpr double kUnit = 0x1p-24;
/// What stands where a kernel must not write.
inline constexpr double kFence = -77.25;

/// Numbers in [−1, 1) that float holds exactly, so that both precisions start from the same input.
inline double number(std::uint64_t seed) {
  seed += 0x9E3779B97F4A7C15U;  // splitmix64
  seed = (seed ^ (seed >> 30U)) * 0xBF58476D1CE4E5B9U;
  seed = (seed ^ (seed >> 27U)) * 0x94D049BB133111EBU;
  return std::ldexp(static_cast<double>((seed ^ (seed >> 31U)) >> 40U), -23) - 1;
}

/// A matrix with its own numbers; rows may be further apart than they are wide, and a fence stands
/// between them and behind the last one.
template <class T>
struct Grid {
  Index rows = 0, columns = 0, stride = 0;
  std::vector<T> data;

  Grid(Index r, Index c, Index gap = 0)
      : rows(r),
        columns(c),
        stride(c + gap),
        data(to_size(r * (c + gap)), static_cast<T>(kFence)) {}

  Matrix<T> view() { return matrix(data.data(), rows, columns, stride); }
  Matrix<const T> view() const { return matrix(data.data(), rows, columns, stride); }
  T* begin() { return data.data(); }
  const T* begin() const { return data.data(); }
  T& operator()(Index i, Index j) { return data[to_size(i * stride + j)]; }
  T operator()(Index i, Index j) const { return data[to_size(i * stride + j)]; }

  Grid& fill(std::uint64_t seed, double size = 1) {
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < columns; ++j)
        (*this)(i, j) = static_cast<T>(static_cast<float>(
            size * number(seed * 1000003 + static_cast<std::uint64_t>(i * columns + j))));
    return *this;
  }
  Grid& fill_with(double value) {
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < columns; ++j) (*this)(i, j) = static_cast<T>(value);
    return *this;
  }
  /// True if nothing was written between the rows.
  bool fenced() const {
    for (Index i = 0; i < rows; ++i)
      for (Index j = columns; j < stride; ++j)
        if ((*this)(i, j) != static_cast<T>(kFence)) return false;
    return true;
  }
  /// The same matrix in double, every number through f.
  template <class F>
  Grid<double> mapped(F f) const {
    Grid<double> out(rows, columns);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < columns; ++j) out(i, j) = f(static_cast<double>((*this)(i, j)));
    return out;
  }
  Grid<double> absolute() const {
    return mapped([](double v) { return std::abs(v); });
  }
  Grid<double> wide() const {
    return mapped([](double v) { return v; });
  }
};

/// Every entry of `actual` within its own tolerance of `expected`.
inline void expect_within(const Grid<float>& actual, const Grid<double>& expected,
                          const Grid<double>& tolerance, const std::string& what) {
  ASSERT_TRUE(actual.fenced()) << what << ": wrote outside its rows";
  for (Index i = 0; i < actual.rows; ++i)
    for (Index j = 0; j < actual.columns; ++j)
      ASSERT_NEAR(static_cast<double>(actual(i, j)), expected(i, j), tolerance(i, j))
          << what << " at " << i << ", " << j << " on " << isa();
}

/// The same with one tolerance for all.
inline void expect_within(const Grid<float>& actual, const Grid<double>& expected, double tolerance,
                          const std::string& what) {
  Grid<double> all(actual.rows, actual.columns);
  all.fill_with(tolerance);
  expect_within(actual, expected, all, what);
}

inline double largest(const Grid<double>& grid) {
  double most = 0;
  for (Index i = 0; i < grid.rows; ++i)
    for (Index j = 0; j < grid.columns; ++j) most = std::max(most, std::abs(grid(i, j)));
  return most;
}

/// Runs body once per instruction set of this machine, and goes back to the fastest.
template <class Body>
void for_each_isa(Body body) {
  const std::vector<std::string> levels = isa_levels();
  for (const std::string& level : levels) {
    pin_isa(level);
    SCOPED_TRACE(level);
    body();
  }
  pin_isa(levels.back());
}

}  // namespace heddle::kernels::testing
