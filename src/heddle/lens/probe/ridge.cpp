// See ridge.hpp.
#include "heddle/lens/probe/ridge.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "heddle/base/check.hpp"

namespace heddle {

Cholesky::Cholesky(std::vector<double> a, std::size_t n) : n_(n), l_(std::move(a)) {
  check(l_.size() == n * n, "cholesky: {} numbers for {} rows", l_.size(), n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = l_[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= l_[i * n + k] * l_[j * n + k];
      if (i == j) {
        check(sum > 0, "cholesky: not positive definite at row {}", i);
        l_[i * n + i] = std::sqrt(sum);
      } else {
        l_[i * n + j] = sum / l_[j * n + j];
      }
    }
}

std::vector<double> Cholesky::solve(std::vector<double> b) const {
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= l_[i * n_ + k] * b[k];
    b[i] /= l_[i * n_ + i];
  }
  for (std::size_t i = n_; i-- > 0;) {
    b[i] /= l_[i * n_ + i];
    for (std::size_t k = 0; k < i; ++k) b[k] -= l_[i * n_ + k] * b[i];
  }
  return b;
}

void Moments::add(std::span<const float* const> rows, double weight) {
  constexpr std::size_t kAtOnce = 4;  // rows: each sum is loaded and stored once for all of them
  std::array<std::vector<double>, kAtOnce> x;
  for (auto& row : x) row.resize(width_);
  for (std::size_t first = 0; first < rows.size(); first += kAtOnce) {
    for (std::size_t r = 0; r < kAtOnce; ++r)
      for (std::size_t i = 0; i < width_; ++i)
        x[r][i] = first + r < rows.size() ? static_cast<double>(rows[first + r][i]) : 0.0;
    const double *x0 = x[0].data(), *x1 = x[1].data(), *x2 = x[2].data(), *x3 = x[3].data();
    for (std::size_t i = 0; i < width_; ++i) {
      const double a = weight * x0[i], b = weight * x1[i], c = weight * x2[i], d = weight * x3[i];
      sum_[i] += (a + b) + (c + d);
      double* out = square_.data() + i * width_;
      for (std::size_t j = 0; j <= i; ++j)
        out[j] += (a * x0[j] + b * x1[j]) + (c * x2[j] + d * x3[j]);
    }
  }
  count_ += weight * static_cast<double>(rows.size());
}

std::vector<double> Moments::scatter() const {
  std::vector<double> scatter = square_;
  for (std::size_t i = 0; i < width_; ++i)
    for (std::size_t j = 0; j <= i; ++j) scatter[i * width_ + j] -= sum_[i] * sum_[j] / count_;
  return scatter;
}

Ridge::Ridge(const Moments& moments) : count_(moments.count()), sum_(moments.sum()) {
  constexpr double kShrink = 1e-3;
  constexpr double kNothing = 1e-12;  // of the squares: what rounding leaves of equal rows
  constexpr double kRounding =
      1e-9;  // of the squares: well above what rounding does to the scatter
  const std::size_t width = moments.width();
  if (count_ < 2) return;
  std::vector<double> scatter = moments.scatter();
  double trace = 0, squares = 0;
  for (std::size_t i = 0; i < width; ++i) {
    trace += scatter[i * width + i];
    squares += scatter[i * width + i] + sum_[i] * sum_[i] / count_;
  }
  if (trace <= kNothing * squares) return;
  // Rows that are almost equal leave a scatter that rounding can make indefinite: then the squares,
  // not the scatter, say how much is added.
  const double added = std::max(kShrink * trace, kRounding * squares) / static_cast<double>(width);
  for (std::size_t i = 0; i < width; ++i) scatter[i * width + i] += added;
  solver_.emplace_back(std::move(scatter), width);
}

LinearProbe Ridge::fit(const ClassSum& yes) const {
  const std::size_t width = sum_.size();
  LinearProbe probe{.w = std::vector<double>(width), .threshold = 0};
  const double no = count_ - yes.count;
  if (solver_.empty() || yes.count <= 0 || no <= 0) return probe;
  // Σ y (x − x̄) = 2 n₊n₋/n · (x̄₊ − x̄₋).
  std::vector<double> right(width), middle(width);
  for (std::size_t i = 0; i < width; ++i) {
    const double of_yes = yes.sum[i] / yes.count, of_no = (sum_[i] - yes.sum[i]) / no;
    right[i] = 2 * yes.count * no / count_ * (of_yes - of_no);
    middle[i] = (of_yes + of_no) / 2;
  }
  probe.w = solver_.front().solve(std::move(right));
  for (std::size_t i = 0; i < width; ++i) probe.threshold += probe.w[i] * middle[i];
  return probe;
}

}  // namespace heddle
