// See effects.hpp.
#include "heddle/lens/ablate/effects.hpp"

#include <algorithm>
#include <limits>

#include "heddle/base/index.hpp"
#include "heddle/lens/stats/stats.hpp"

namespace heddle {
namespace {

constexpr std::string_view kCarries = "by_carries";

/// A share of answers lost, gathered over classes of questions.
class DropByClass {
 public:
  explicit DropByClass(std::size_t classes) : lost_(classes), total_(classes) {}
  void add(std::size_t at, double lost) {
    lost_[at] += lost;
    total_[at] += 1;
  }
  std::vector<double> drops() const {
    std::vector<double> drops;
    for (std::size_t i = 0; i < lost_.size(); ++i)
      drops.push_back(total_[i] > 0 ? lost_[i] / total_[i]
                                    : std::numeric_limits<double>::quiet_NaN());
    return drops;
  }

 private:
  std::vector<double> lost_, total_;
};

/// Share of the passes in which item i is right.
double share_right(std::span<const Verdicts> passes, std::size_t i,
                   std::vector<std::uint8_t> Verdicts::* what) {
  double sum = 0;
  for (const Verdicts& pass : passes) sum += (pass.*what)[i];
  return sum / static_cast<double>(passes.size());
}

std::vector<double> drops_by_position(const Verdicts& intact, std::span<const Verdicts> ablated,
                                      const EncodedQuestions& set) {
  const auto positions = to_size(intact.positions);
  DropByClass by_position(positions);
  for (std::size_t at = 0; at < intact.tokens.size(); ++at)
    if (set.wanted[at] != kNoTarget)
      by_position.add(at % positions,
                      intact.tokens[at] - share_right(ablated, at, &Verdicts::tokens));
  return by_position.drops();
}

std::vector<double> drops_by_column(const Verdicts& intact, std::span<const Verdicts> ablated,
                                    const Breakdown& breakdown) {
  const std::vector<Index>& columns = breakdown.columns;
  DropByClass by_column(to_size(breakdown.column_count));
  for (std::size_t at = 0; at < intact.tokens.size(); ++at) {
    const Index column = columns[at % columns.size()];
    if (column >= 0)
      by_column.add(to_size(column),
                    intact.tokens[at] - share_right(ablated, at, &Verdicts::tokens));
  }
  return by_column.drops();
}

std::vector<double> drops_by_carries(const Verdicts& intact, std::span<const Verdicts> ablated,
                                     const Breakdown& breakdown) {
  DropByClass by_carries(to_size(breakdown.carry_values));
  for (std::size_t i = 0; i < intact.right.size(); ++i)
    if (breakdown.carries[i] >= 0)
      by_carries.add(to_size(breakdown.carries[i]),
                     intact.right[i] - share_right(ablated, i, &Verdicts::right));
  return by_carries.drops();
}

/// Several passes (donors): the question is the unit, its score the share of passes that are right.
void compare_shares(const Verdicts& intact, std::span<const Verdicts> ablated, Effect& effect) {
  std::vector<double> lost;
  std::int64_t worse = 0, better = 0;
  for (std::size_t i = 0; i < intact.right.size(); ++i) {
    lost.push_back(intact.right[i] - share_right(ablated, i, &Verdicts::right));
    worse += lost.back() > 0 ? 1 : 0;
    better += lost.back() < 0 ? 1 : 0;
  }
  effect.drop = mean_of(lost);
  const Interval interval = t_interval(lost);
  effect.low = std::max(-1.0, interval.low);
  effect.high = std::min(1.0, interval.high);
  effect.p = sign_test(worse, better);
}

void compare_once(const Verdicts& intact, const Verdicts& ablated, Effect& effect) {
  const Paired paired = paired_counts(intact.right, ablated.right);
  const Interval interval = newcombe(paired);
  effect.drop = paired.difference();
  effect.low = interval.low;
  effect.high = interval.high;
  effect.p = mcnemar(paired);
}

}  // namespace

Breakdown breakdown_of(const TaskShape& shape, const Facets* facets, const Questions& questions) {
  Breakdown breakdown;
  breakdown.column_count = shape.longest_output;
  if (shape.counts_digits())
    for (Index position = 0; position < shape.target_length(); ++position)
      breakdown.columns.push_back(shape.decoded_column(position));
  if (facets == nullptr) return breakdown;
  const auto carries = std::ranges::find(facets->list(), kCarries, &Facet::key);
  if (carries == facets->list().end()) return breakdown;
  breakdown.carry_values = std::ssize(carries->values);
  std::vector<Index> values(facets->list().size());
  for (Index i = 0; i < questions.size(); ++i) {
    facets->values(questions[i], values);
    breakdown.carries.push_back(values[to_size(carries - facets->list().begin())]);
  }
  return breakdown;
}

Effect effect_of(const Verdicts& intact, std::span<const Verdicts> ablated,
                 const EncodedQuestions& set, const Breakdown& breakdown) {
  Effect effect;
  double margin = 0;
  for (const Verdicts& pass : ablated) {
    effect.count += pass.count();
    margin += pass.mean_margin() / static_cast<double>(ablated.size());
  }
  effect.margin_drop = intact.mean_margin() - margin;
  if (ablated.size() == 1)
    compare_once(intact, ablated[0], effect);
  else
    compare_shares(intact, ablated, effect);
  if (!breakdown.columns.empty())
    effect.by_digit = drops_by_column(intact, ablated, breakdown);
  else if (!set.labels)
    effect.by_position = drops_by_position(intact, ablated, set);
  if (!breakdown.carries.empty()) effect.by_carries = drops_by_carries(intact, ablated, breakdown);
  effect.band = band_of(effect.drop);
  return effect;
}

}  // namespace heddle
