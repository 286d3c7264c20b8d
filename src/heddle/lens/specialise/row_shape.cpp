// See row_shape.hpp.
#include "heddle/lens/specialise/row_shape.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace heddle {

double row_entropy(std::span<const float> row) {
  double entropy = 0;
  for (const float weight : row) {
    const auto w = static_cast<double>(weight);
    if (w > 0) entropy -= w * std::log(w);
  }
  return entropy;
}

double normalised_entropy(std::span<const float> row) {
  return row_entropy(row) / std::log(static_cast<double>(row.size()));
}

double gini(std::span<const float> row) {
  std::vector<float> sorted(row.begin(), row.end());
  std::ranges::sort(sorted);
  const auto n = static_cast<double>(sorted.size());
  double weighted = 0, sum = 0, rank = 1;
  for (const float weight : sorted) {
    weighted += (2 * rank - n - 1) * static_cast<double>(weight);
    sum += static_cast<double>(weight);
    rank += 1;
  }
  return weighted / ((n - 1) * sum);
}

double hoyer(std::span<const float> row) {
  const double root = std::sqrt(static_cast<double>(row.size()));
  double sum = 0, squares = 0;
  for (const float weight : row) {
    const auto w = static_cast<double>(weight);
    sum += w;
    squares += w * w;
  }
  return (root - sum / std::sqrt(squares)) / (root - 1);
}

}  // namespace heddle
