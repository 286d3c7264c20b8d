// T5's bias: b_h[bucket(Δ)] added to the scores, a learned number per head and bucket of distances:
// 31 of them, 15 to each side. Past `reach` every distance has the last bucket's number, so nothing
// is new there, but all far keys together weigh more the more there are.
#include "heddle/nn/position/encodings.hpp"

namespace heddle {
namespace {

constexpr Index kBuckets = 15;  // to each side: T5's 32, of which it never uses one
constexpr Index kT5Reach = 16;

class T5 : public Relative {
 public:
  T5(const RelativeSizes& sizes, const Builder& at)
      : Relative(sizes),
        reach_(sizes.reach > 0 ? sizes.reach : kT5Reach),
        bias_(at.table("distances", sizes.heads, 2 * kBuckets + 1, {.mean = 0, .deviation = 0.1})) {
  }

 protected:
  bool tabled() const override { return true; }
  Var distances(Run& run, Index span, DType /*dtype*/) const override {
    return bucket_table(run.weight(bias_), span, reach_);
  }

 private:
  Index reach_;
  WeightId bias_;
};

}  // namespace

RelativePtr make_t5(const RelativeSizes& sizes, const Builder& at) {
  return std::make_shared<const T5>(sizes, at);
}

}  // namespace heddle
