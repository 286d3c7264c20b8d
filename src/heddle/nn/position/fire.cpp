// FIRE: a small network of x = ψ(|Δ|) / ψ(max(L, i, j)) and the sign of Δ, ψ(x) = ln(c·x + 1), is
// added to the scores; c and L are learned (kept as logarithms). However long the input, x stays in
// 0 … 1, the range it was trained on; but from L on neighbours move together.
#include <cmath>

#include "heddle/nn/position/encodings.hpp"

namespace heddle {
namespace {

constexpr Index kHidden = 32;

class Fire : public Relative {
 public:
  Fire(const RelativeSizes& sizes, const Builder& at)
      : Relative(sizes),
        log_c_(at.vector("fire_log_c", 1, {.mean = std::log(0.1), .deviation = 0})),
        log_l_(at.vector("fire_log_l", 1, {.mean = std::log(16.0), .deviation = 0})),
        w1_(at.table("fire_w1", 2, kHidden, {.mean = 0, .deviation = 1})),
        b1_(at.vector("fire_b1", kHidden, {.mean = 0, .deviation = 0.5})),
        w2_(at.table("fire_w2", kHidden, sizes.heads,
                     {.mean = 0, .deviation = 1 / std::sqrt(static_cast<double>(kHidden))})) {}

  bool has_dense() const override { return true; }
  Var dense(Run& run, const Var& /*q*/, const QueryRange& range) const override {
    return fire_scores({.log_c = run.weight(log_c_),
                        .log_l = run.weight(log_l_),
                        .w1 = run.weight(w1_),
                        .b1 = run.weight(b1_),
                        .w2 = run.weight(w2_)},
                       range);
  }

 private:
  WeightId log_c_, log_l_, w1_, b1_, w2_;
};

}  // namespace

RelativePtr make_fire(const RelativeSizes& sizes, const Builder& at) {
  return std::make_shared<const Fire>(sizes, at);
}

}  // namespace heddle
