// The naive twin that judges the vector kernels of cpu/.
#include "heddle/kernels/reference/loss.hpp"

#include <algorithm>
#include <cmath>

#include "heddle/base/index.hpp"

namespace heddle::kernels::reference {

/// loss = ln Σ exp(x) − x_target;  dx_j = weight · (exp(x_j) / Σ exp(x) − [j = target]).
void cross_entropy(const CrossEntropy<double>& args) {
  for (Index i = 0; i < args.logits.shape[0]; ++i) {
    const auto row = args.logits.row(i);
    const Index target = args.targets[i];
    const double top = *std::ranges::max_element(row);
    double sum = 0;
    for (const double x : row) sum += std::exp(x - top);
    const double lse = top + std::log(sum);
    if (args.loss) args.loss[i] = target < 0 ? 0 : lse - row[to_size(target)];
    if (!args.dlogits.data) continue;
    for (Index j = 0; j < args.logits.shape[1]; ++j) {
      const double share = std::exp(args.logits(i, j) - lse) - (j == target ? 1 : 0);
      args.dlogits(i, j) = target < 0 ? 0 : args.weight * share;
    }
  }
}

void argmax(Matrix<const double> logits, std::int32_t* best) {
  for (Index i = 0; i < logits.shape[0]; ++i) {
    Index found = -1;
    for (Index j = 0; j < logits.shape[1]; ++j)
      if (!std::isnan(logits(i, j)) && (found < 0 || logits(i, j) > logits(i, found))) found = j;
    best[i] = static_cast<std::int32_t>(std::max(found, Index{0}));
  }
}

}  // namespace heddle::kernels::reference
