// See contrasts.hpp.
#include "heddle/study/sweep/contrasts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "heddle/base/fields.hpp"
#include "heddle/lens/stats/stats.hpp"

namespace heddle {
namespace {

constexpr double kAlpha = 0.05;

/// Members of the cells that differ in one axis only: one list per pair of alternatives.
struct MemberPair {
  const SweepMember *first = nullptr, *second = nullptr;
};
using Pairs = std::vector<MemberPair>;

class Grid {
 public:
  explicit Grid(const SweepStudy& study) {
    for (const SweepCellRecord& cell : study.cells) names_[cell.values] = cell.name;
    for (const SweepMember& member : study.members) members_[{member.cell, member.seed}] = &member;
  }

  Pairs pairs(const SweepStudy& study, std::size_t axis, const std::string& first,
              const std::string& second) const {
    Pairs pairs;
    for (const SweepCellRecord& cell : study.cells) {
      if (cell.values[axis] != first) continue;
      std::vector<std::string> others = cell.values;
      others[axis] = second;
      for (const std::uint64_t seed : study.seeds)
        pairs.push_back({.first = members_.at({cell.name, seed}),
                         .second = members_.at({names_.at(others), seed})});
    }
    return pairs;
  }

 private:
  std::map<std::vector<std::string>, std::string> names_;
  std::map<std::pair<std::string, std::uint64_t>, const SweepMember*> members_;
};

/// What pairs of members show on one measure.
struct Tally {
  struct Seed {
    std::vector<double> differences;
    Count first, second;
  };
  std::map<std::uint64_t, Seed> seeds;
  std::vector<double> firsts, seconds;
  std::int64_t ahead = 0, behind = 0;

  void add(std::uint64_t seed, const SweepScore& one, const SweepScore& two) {
    seeds[seed].differences.push_back(one.value - two.value);
    seeds[seed].first += {.correct = one.correct, .total = one.total};
    seeds[seed].second += {.correct = two.correct, .total = two.total};
    firsts.push_back(one.value);
    seconds.push_back(two.value);
    ahead += one.value > two.value ? 1 : 0;
    behind += one.value < two.value ? 1 : 0;
  }
};

Tally tally(const Pairs& pairs, const std::string& measure) {
  Tally tally;
  for (const MemberPair& pair : pairs) {
    const SweepScore *one = find_score(*pair.first, measure),
                     *two = find_score(*pair.second, measure);
    if (one != nullptr && two != nullptr) tally.add(pair.first->seed, *one, *two);
  }
  return tally;
}

/// Newcombe (1998, method 10) for two independent shares: Wilson's limits of each, joined.
Interval independent(double difference, const Count& first, const Count& second) {
  const Interval one = wilson(first), two = wilson(second);
  const double p = first.share(), q = second.share();
  return {.low = difference - std::hypot(p - one.low, two.high - q),
          .high = difference + std::hypot(one.high - p, q - two.low)};
}

SweepContrast contrast(const Tally& tally) {
  constexpr double kSame = 1e-12;  // differences of equal shares may be off by a bit
  std::vector<double> means;
  for (const auto& [number, seed] : tally.seeds) means.push_back(mean_of(seed.differences));
  const auto [least, most] = std::ranges::minmax(means);
  const bool spread = most - least > kSame;
  const Tally::Seed& one = tally.seeds.begin()->second;
  const double difference = mean_of(means);
  const Interval interval =
      spread ? t_interval(means) : independent(difference, one.first, one.second);
  SweepContrast contrast;
  contrast.pairs = static_cast<std::int64_t>(tally.firsts.size());
  contrast.ahead = tally.ahead;
  contrast.behind = tally.behind;
  contrast.seeds = static_cast<std::int64_t>(means.size());
  contrast.better_mean = mean_of(tally.firsts);
  contrast.other_mean = mean_of(tally.seconds);
  contrast.difference = difference;
  contrast.low = std::max(-1.0, interval.low);
  contrast.high = std::min(1.0, interval.high);
  contrast.over = spread ? IntervalOver::seeds : IntervalOver::problems;
  contrast.p = contrast.p_holm = spread ? t_test(means) : std::numeric_limits<double>::quiet_NaN();
  contrast.told_apart = !spread && (contrast.low > 0 || contrast.high < 0);
  return contrast;
}

/// The better one comes first.
void orient(SweepContrast& contrast) {
  if (contrast.difference >= 0) return;
  std::swap(contrast.better, contrast.other);
  std::swap(contrast.better_mean, contrast.other_mean);
  std::swap(contrast.ahead, contrast.behind);
  contrast.difference = -contrast.difference;
  std::swap(contrast.low, contrast.high);
  contrast.low = -contrast.low;
  contrast.high = -contrast.high;
}

/// Holm's adjustment over those that have a test.
void adjust(std::vector<SweepContrast>& contrasts) {
  std::vector<double> tested;
  for (const SweepContrast& contrast : contrasts)
    if (std::isfinite(contrast.p)) tested.push_back(contrast.p);
  const std::vector<double> adjusted = holm(tested);
  std::size_t at = 0;
  for (SweepContrast& contrast : contrasts) {
    if (!std::isfinite(contrast.p)) continue;
    contrast.p_holm = adjusted[at++];
    contrast.told_apart = contrast.p_holm < kAlpha;
  }
}

}  // namespace

const SweepScore* find_score(const SweepMember& member, std::string_view measure) {
  const auto found = std::ranges::find(member.scores, measure, &SweepScore::measure);
  return found == member.scores.end() ? nullptr : &*found;
}

std::vector<SweepContrast> contrasts_of(const SweepStudy& study) {
  const Grid grid(study);
  std::vector<SweepContrast> all;
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
    for (const std::string& measure : study.measures) {
      const SweepAxisRecord& swept = study.axes[axis];
      std::vector<SweepContrast> of_axis;
      for (std::size_t i = 0; i < swept.values.size(); ++i)
        for (std::size_t j = i + 1; j < swept.values.size(); ++j) {
          const Tally found =
              tally(grid.pairs(study, axis, swept.values[i], swept.values[j]), measure);
          if (found.firsts.empty()) continue;
          SweepContrast made = contrast(found);
          made.setting = swept.setting;
          made.name = swept.name;
          made.measure = measure;
          made.better = swept.values[i];
          made.other = swept.values[j];
          orient(made);
          of_axis.push_back(std::move(made));
        }
      adjust(of_axis);
      all.insert(all.end(), of_axis.begin(), of_axis.end());
    }
  return all;
}

}  // namespace heddle
