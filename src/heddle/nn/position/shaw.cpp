// Shaw's relative keys: q·(k + a[clip(Δ, ±K)]) / √d, a learned vector per head and distance. Past
// ±K all distances share the last vector, so nothing is new there, and far keys are told apart by
// what they hold alone.
#include "heddle/nn/position/encodings.hpp"
#include "heddle/ops/arithmetic.hpp"

namespace heddle {
namespace {

constexpr Index kReach = 8;

class Shaw : public Relative {
 public:
  Shaw(const RelativeSizes& sizes, const Builder& at)
      : Relative(sizes),
        shape_{2 * (sizes.reach > 0 ? sizes.reach : kReach) + 1, sizes.heads, sizes.d_head},
        vectors_(at.table("distances", shape_[0], sizes.heads * sizes.d_head,
                          {.mean = 0, .deviation = 0.5})) {}

  bool has_dense() const override { return true; }
  Var dense(Run& run, const Var& q, const QueryRange& range) const override {
    return shaw_scores(q, reshape(run.weight(vectors_), shape_), range);
  }

 private:
  Shape shape_;
  WeightId vectors_;
};

}  // namespace

RelativePtr make_shaw(const RelativeSizes& sizes, const Builder& at) {
  return std::make_shared<const Shaw>(sizes, at);
}

}  // namespace heddle
