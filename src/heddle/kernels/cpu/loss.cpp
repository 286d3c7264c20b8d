// Cross-entropy with its gradient, and the best column of each row.
#include "heddle/kernels/cpu/kernels.hpp"
#include "heddle/kernels/cpu/rows.hpp"

namespace heddle::kernels::HEDDLE_ISA {
namespace {

/// dlogits = weight · (softmax(x) − onehot(target)), given exp(x − top) in d and their sum.
void gradient_row(float* d, Index columns, float sum, float weight, Index target) {
  const Vec share = splat(weight / sum);
  for_each_vec(columns, [&](Index j, Index lanes) {
    store_some(d + j, load_some(d + j, lanes) * share, lanes);
  });
  d[target] -= weight;
}

void zero_row(float* d, Index columns) {
  for_each_vec(columns, [&](Index j, Index lanes) { store_some(d + j, Vec{}, lanes); });
}

}  // namespace

void cross_entropy(const RawCrossEntropy& args) {
  for (Index i = 0; i < args.rows; ++i) {
    const float* x = args.logits.data + i * args.logits.stride;
    float* d = args.dlogits.data ? args.dlogits.data + i * args.dlogits.stride : nullptr;
    const Index target = args.targets[i];
    if (target < 0) {
      if (args.loss) args.loss[i] = 0.0F;
      if (d) zero_row(d, args.columns);
      continue;
    }
    const float top = row_max(x, args.columns);
    const float at_target = x[target];  // before d, which may be x, is written
    const float sum = exp_row(x, args.columns, top, d);
    if (args.loss) args.loss[i] = __builtin_logf(sum) + (top - at_target);
    if (d) gradient_row(d, args.columns, sum, args.weight, target);
  }
}

void argmax(const RawArgmax& args) {
  for (Index i = 0; i < args.rows; ++i) {
    const float* x = args.logits.data + i * args.logits.stride;
    Index best = 0;
    float top = -kInfinity;
    bool found = false;
    for (Index j = 0; j < args.columns; ++j) {
      // A NaN is larger than nothing; −inf wins if there is nothing else.
      if (x[j] > top || (!found && x[j] == x[j])) {
        best = j;
        top = x[j];
        found = true;
      }
    }
    args.best[i] = static_cast<std::int32_t>(best);
  }
}

}  // namespace heddle::kernels::HEDDLE_ISA
