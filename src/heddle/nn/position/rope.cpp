// RoPE: queries and keys turned by their place times θ_k = base^(−2k/d), so that their product
// depends on Δ = i − j alone. Past the training range the angles of slow pairs are new ones; a
// small base has few of those.
#include "heddle/nn/position/encodings.hpp"
#include "heddle/ops/rotary.hpp"

namespace heddle {
namespace {

class Rope : public Relative {
 public:
  explicit Rope(const RelativeSizes& sizes) : Relative(sizes), base_(sizes.base) {
    check<UsageError>(sizes.d_head % 2 == 0,
                      "rope turns pairs of features: heads of {} must be even", sizes.d_head);
  }

  Where where() const override { return Where::queries_keys; }
  Var turn(const Var& x, Index first) const override {
    return rotate(x, {.base = base_, .first = first});
  }

 private:
  double base_;
};

}  // namespace

RelativePtr make_rope(const RelativeSizes& sizes) {
  return std::make_shared<const Rope>(sizes);
}

}  // namespace heddle
