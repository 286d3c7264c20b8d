// Linear probes by ridge regression: normal equations and Cholesky, in double, in a fixed order.
#pragma once

#include <span>
#include <vector>

#include "heddle/tensor/view.hpp"

namespace heddle {

/// Solves A x = b for symmetric positive definite A [n, n], of which the lower triangle is read.
/// Error where A is not positive definite.
class Cholesky {
 public:
  Cholesky(std::vector<double> a, std::size_t n);
  std::vector<double> solve(std::vector<double> b) const;

 private:
  std::size_t n_;
  std::vector<double> l_;  // A = L Lᵀ
};

/// Sums over rows of features: n, Σ x and the lower triangle of Σ x xᵀ. Rows can be taken away
/// again, so that a sample without some of its rows costs those rows alone.
class Moments {
 public:
  explicit Moments(std::size_t width) : width_(width), sum_(width), square_(width * width) {}

  /// Rows of `width` numbers each, `weight` +1 to add or −1 to take away.
  void add(std::span<const float* const> rows, double weight = 1);

  std::size_t width() const { return width_; }
  double count() const { return count_; }
  const std::vector<double>& sum() const { return sum_; }
  /// Σ (x − x̄)(x − x̄)ᵀ, lower triangle.
  std::vector<double> scatter() const;

 private:
  std::size_t width_;
  double count_ = 0;
  std::vector<double> sum_, square_;
};

/// A linear score w·x − threshold; positive says yes.
struct LinearProbe {
  std::vector<double> w;
  double threshold = 0;

  double score(const float* x) const {
    double sum = -threshold;
    for (std::size_t i = 0; i < w.size(); ++i) sum += w[i] * static_cast<double>(x[i]);
    return sum;
  }
};

/// One class of a sample: how many rows, and their sum.
struct ClassSum {
  double count = 0;
  std::vector<double> sum;
};

/// Fits ±1 by ridge on centred features, w = (S + λI)⁻¹ Σ y (x − x̄) with
/// λ = 0.001 · trace(S) / width, and puts the threshold half way between the mean scores of the two
/// classes: with classes of equal size this is the regression's own 0, and otherwise neither the
/// direction nor the threshold leans to the commoner class. Many targets share one factorisation.
class Ridge {
 public:
  explicit Ridge(const Moments& moments);
  /// From the rows that say yes; the others are the sample's rest. A class without rows: the probe
  /// that always scores 0.
  LinearProbe fit(const ClassSum& yes) const;

 private:
  double count_;
  std::vector<double> sum_;
  std::vector<Cholesky> solver_;  // none where all rows are equal
};

}  // namespace heddle
