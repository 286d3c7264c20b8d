// What no training can get past.
#include "heddle/eval/ceiling.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "heddle/base/index.hpp"

namespace heddle {

namespace {

std::size_t at(Index i) {
  return to_size(i);
}

/// For one length: ln n! and how likely n draws hit every one of a values, all there is to know of
/// ties.
class TieTable {
 public:
  explicit TieTable(Index length) : length_(length), log_factorial_(at(rows()) + 1) {
    for (std::size_t n = 1; n < log_factorial_.size(); ++n)
      log_factorial_[n] = log_factorial_[n - 1] + std::log(static_cast<double>(n));
    fill_onto();
  }

  /// Σ q(i) over i < places, for `width` equally likely values.
  double seen(Index places, Index width) const {
    double sum = 0;
    for (Index i = 0; i < places; ++i) sum += swapped_at(i, width);
    return sum;
  }
  /// The chance that two values differ: 1 − V¹⁻ᴸ.
  double differ(Index width) const {
    return -std::expm1(static_cast<double>(1 - length_) * std::log(static_cast<double>(width)));
  }

 private:
  Index rows() const { return std::max<Index>(length_, kValueCount); }
  double choose(Index n, Index k) const {  // its logarithm
    return log_factorial_[at(n)] - log_factorial_[at(k)] - log_factorial_[at(n - k)];
  }
  double onto(Index draws, Index values) const {
    return onto_[at(draws * (kValueCount + 1) + values)];
  }

  /// t(n, a) = Surj(n, a)/aⁿ, never too small for a double where it matters:
  /// t(n+1, a) = t(n, a) + ((a−1)/a)ⁿ t(n, a−1).
  void fill_onto() {
    constexpr Index kStride = kValueCount + 1;
    onto_.assign(at(length_ * kStride), 0.0);
    for (Index n = 1; n < length_; ++n) {
      onto_[at(n * kStride + 1)] = 1;
      for (Index a = 2; a <= std::min<Index>(n, kValueCount); ++a) {
        const double power = std::pow(static_cast<double>(a - 1) / static_cast<double>(a),
                                      static_cast<double>(n - 1));
        onto_[at(n * kStride + a)] = onto(n - 1, a) + power * onto(n - 1, a - 1);
      }
    }
  }

  double swapped_at(Index i, Index width) const {
    const Index low = i + 1, high = length_ - i - 1;
    const double all =
        choose(length_, low) - static_cast<double>(length_) * std::log(static_cast<double>(width));
    double sum = 0;
    for (Index a = 1; a <= std::min(low, width - 1); ++a) {
      const double lows = all + static_cast<double>(low) * std::log(static_cast<double>(a));
      for (Index b = 1; b <= std::min(high, width - a); ++b) {
        const double ways = lows + choose(width, a + b) +
                            static_cast<double>(high) * std::log(static_cast<double>(b));
        sum += std::exp(ways) * onto(low, a) * onto(high, b) / static_cast<double>(a + b - 1);
      }
    }
    return sum;
  }

  Index length_;
  std::vector<double> log_factorial_;
  std::vector<double> onto_;  ///< [length, values + 1]
};

double seen_in_windows(const TieTable& table, Index places) {
  double seen = 0, differ = 0;
  for (std::int32_t width = kNarrowest; width <= kWidest; ++width) {
    seen += window_chance(width) * table.seen(places, width);
    differ += window_chance(width) * table.differ(width);
  }
  return seen / differ;
}

}  // namespace

double seen_swaps(Index length, Index table, ValueKind values) {
  if (table >= length) return 1;
  if (table <= 1) return 0;
  const TieTable ties(length);
  const auto uniform = [&] { return ties.seen(table - 1, kValueCount) / ties.differ(kValueCount); };
  if (values == ValueKind::uniform) return uniform();
  const double windowed = seen_in_windows(ties, table - 1);
  return values == ValueKind::windowed ? windowed : (uniform() + windowed) / 2;
}

double ceiling_of(const CeilingModel& model, const SetSpec& spec) {
  constexpr double kGuessing = 0.5;
  if (!model.symmetric_pooling) return kNoCeiling;
  if (model.position == "none" && keeps_values(spec.kind)) return kGuessing;
  if (model.symmetric_direction && spec.kind == NegativeKind::reverse) return kGuessing;
  const Index table = model.table - model.front;
  if (model.position == "learned" && model.table > 0 && table < spec.length &&
      spec.kind == NegativeKind::adjacent)
    return (1 + seen_swaps(spec.length, table, spec.values)) / 2;
  return kNoCeiling;
}

}  // namespace heddle
