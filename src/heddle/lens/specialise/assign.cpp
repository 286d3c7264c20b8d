// See assign.hpp.
#include "heddle/lens/specialise/assign.hpp"

#include <limits>

#include "heddle/base/check.hpp"

namespace heddle {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Rows and columns count from 1; column 0 holds the row that is looking for a place.
class Hungarian {
 public:
  Hungarian(std::span<const double> cost, std::size_t n)
      : cost_(cost), n_(n), row_price_(n + 1), column_price_(n + 1), row_in_(n + 1) {}

  void place(std::size_t row) {
    row_in_[0] = row;
    std::vector<double> least(n_ + 1, kInfinity);  // slack of each column outside the tree
    std::vector<std::size_t> from(n_ + 1);         // the column before it on its path
    std::vector<bool> reached(n_ + 1);
    std::size_t at = 0;
    while (row_in_[at] != 0) {
      reached[at] = true;
      at = step(at, least, from, reached);
    }
    for (; at != 0; at = from[at]) row_in_[at] = row_in_[from[at]];  // shift along the path
  }
  std::vector<std::size_t> columns() const {
    std::vector<std::size_t> columns(n_);
    for (std::size_t c = 1; c <= n_; ++c) columns[row_in_[c] - 1] = c - 1;
    return columns;
  }

 private:
  double slack(std::size_t row, std::size_t column) const {
    return cost_[(row - 1) * n_ + column - 1] - row_price_[row] - column_price_[column];
  }
  /// Looks from the row in column `at`, moves the prices so that one more column is reached, and
  /// returns it.
  std::size_t step(std::size_t at, std::vector<double>& least, std::vector<std::size_t>& from,
                   const std::vector<bool>& reached) {
    std::size_t next = 0;
    double delta = kInfinity;
    for (std::size_t c = 1; c <= n_; ++c) {
      if (reached[c]) continue;
      const double here = slack(row_in_[at], c);
      if (here < least[c]) {
        least[c] = here;
        from[c] = at;
      }
      if (least[c] < delta) {
        delta = least[c];
        next = c;
      }
    }
    for (std::size_t c = 0; c <= n_; ++c) {
      if (reached[c]) {
        row_price_[row_in_[c]] += delta;
        column_price_[c] -= delta;
      } else {
        least[c] -= delta;
      }
    }
    return next;
  }

  std::span<const double> cost_;
  std::size_t n_;
  std::vector<double> row_price_, column_price_;
  std::vector<std::size_t> row_in_;  // of each column; 0: free
};

}  // namespace

std::vector<std::size_t> cheapest_assignment(std::span<const double> cost, std::size_t n) {
  check(cost.size() == n * n, "assignment: {} costs for {} by {}", cost.size(), n, n);
  Hungarian hungarian(cost, n);
  for (std::size_t row = 1; row <= n; ++row) hungarian.place(row);
  return hungarian.columns();
}

}  // namespace heddle
