// KERPLE, the logarithmic kind: −r₁ ln(1 + r₂|Δ|) added to the scores, r₁ and r₂ learned per head
// (kept as logarithms). Past the training range it goes on as a power law: what is far away weighs
// (1 + r₂|Δ|)^(−r₁), which sums up to a bounded share only if r₁ > 1.
#include <cmath>

#include "heddle/nn/position/encodings.hpp"

namespace heddle {
namespace {

class Kerple : public Relative {
 public:
  Kerple(const RelativeSizes& sizes, const Builder& at)
      : Relative(sizes),
        r1_(at.vector("log_r1", sizes.heads, {.mean = std::log(2.0), .deviation = 0})),
        r2_(at.vector("log_r2", sizes.heads, {})) {}

 protected:
  bool tabled() const override { return true; }
  Var distances(Run& run, Index span, DType /*dtype*/) const override {
    return kerple_table(run.weight(r1_), run.weight(r2_), span);
  }

 private:
  WeightId r1_, r2_;
};

}  // namespace

RelativePtr make_kerple(const RelativeSizes& sizes, const Builder& at) {
  return std::make_shared<const Kerple>(sizes, at);
}

}  // namespace heddle
