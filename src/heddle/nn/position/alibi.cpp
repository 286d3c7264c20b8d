// ALiBi: −m_h·|Δ| added to the scores, the slopes m_h learned (kept as ln m_h). Past the training
// range it goes on as a straight line: what is far away weighs e^(−m·|Δ|), so little that the
// length of the input does not matter.
#include <cmath>

#include "heddle/base/index.hpp"
#include "heddle/nn/position/encodings.hpp"

namespace heddle {
namespace {

/// Unless told otherwise: pairs of heads, so that both directions of a split get each slope.
double start_slope(const RelativeSizes& sizes, Index number) {
  if (!sizes.slopes.empty()) {
    const auto at = to_size(number);
    check<UsageError>(at < sizes.slopes.size() && sizes.slopes[at] > 0,
                      "alibi: head {} needs a positive slope, {} are given", number,
                      sizes.slopes.size());
    return sizes.slopes[at];
  }
  if (!sizes.classic_slopes) return number / 2 % 2 == 0 ? 1.0 : 0.5;
  const Index all = sizes.all_heads > 0 ? sizes.all_heads : sizes.heads;
  return std::exp2(-8 * static_cast<double>(number + 1) / static_cast<double>(all));
}

std::vector<double> log_slopes(const RelativeSizes& sizes) {
  std::vector<double> logs;
  for (Index h = 0; h < sizes.heads; ++h)
    logs.push_back(std::log(start_slope(sizes, sizes.number(h))));
  return logs;
}

class Alibi : public Relative {
 public:
  Alibi(const RelativeSizes& sizes, const Builder& at)
      : Relative(sizes), slopes_(at.vector("slopes", log_slopes(sizes))) {}

 protected:
  bool tabled() const override { return true; }
  Var distances(Run& run, Index span, DType /*dtype*/) const override {
    return alibi_table(run.weight(slopes_), span);
  }

 private:
  WeightId slopes_;
};

}  // namespace

RelativePtr make_alibi(const RelativeSizes& sizes, const Builder& at) {
  return std::make_shared<const Alibi>(sizes, at);
}

}  // namespace heddle
