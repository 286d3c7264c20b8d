// See path.hpp.
#include "heddle/lens/addition/carry_path.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "heddle/base/decimal.hpp"
#include "heddle/lens/heads.hpp"

namespace heddle {
namespace {

constexpr double kHalf = 0.5;

struct Step {
  TapId tap = -1;  // the order data passes them
  std::string kind, place, token;
  double effect = 0;
};

/// Effects of one column by place and position, the mean over directions.
std::vector<PatchEffect> both_ways(const std::vector<PatchEffect>& effects, std::int64_t column) {
  std::vector<PatchEffect> means;
  for (const PatchEffect& effect : effects) {
    if (effect.column != column) continue;
    const auto same = std::ranges::find_if(means, [&](const PatchEffect& mean) {
      return mean.place == effect.place && mean.position == effect.position;
    });
    if (same == means.end()) {
      means.push_back(effect);
    } else {
      same->effect = (same->effect + effect.effect) / 2;
    }
  }
  std::erase_if(means, [](const PatchEffect& mean) { return !std::isfinite(mean.effect); });
  std::ranges::stable_sort(means, std::greater{}, &PatchEffect::effect);
  return means;
}

std::vector<Step> stream_steps(const TapTable& taps, const std::vector<PatchEffect>& largest_first,
                               double threshold) {
  std::vector<Step> steps;
  std::map<std::string, double> carried;
  for (const PatchEffect& effect : largest_first) {
    double& sum = carried[effect.place];
    if (!(effect.effect >= threshold) || sum >= kHalf) continue;
    sum += effect.effect;
    steps.push_back(
        {taps.find(effect.place)[0], "stream", effect.place, effect.token, effect.effect});
  }
  return steps;
}

/// The heads that move at least `threshold` at all positions at once; of each the position where it
/// moves most, and what it moves there.
std::vector<Step> head_steps(const Member& member, const std::vector<PatchEffect>& heads,
                             const std::vector<PatchEffect>& places, double threshold) {
  std::vector<Step> steps;
  const std::vector<Head> all = heads_of(member);
  for (const PatchEffect& effect : heads) {
    if (!(effect.effect >= threshold)) continue;
    const auto where = std::ranges::find(places, effect.place, &PatchEffect::place);
    if (where == places.end()) continue;
    const TapId z = std::ranges::find(all, effect.place, &Head::name)->z;
    steps.push_back({z, "head", effect.place, where->token, where->effect});
  }
  std::ranges::stable_sort(steps, std::greater{}, &Step::effect);
  return steps;
}

}  // namespace

std::vector<std::string> carry_paths(const Member& member, const Patching& patching,
                                     double threshold) {
  std::set<std::int64_t> columns;
  for (const PatchSwing& swing : patching.swings) columns.insert(swing.column);
  std::vector<std::string> path;
  for (const std::int64_t column : columns) {
    std::vector<Step> steps =
        stream_steps(member.model->taps(), both_ways(patching.stream, column), threshold);
    std::ranges::copy(head_steps(member, both_ways(patching.heads, column),
                                 both_ways(patching.places, column), threshold),
                      std::back_inserter(steps));
    if (steps.empty()) continue;
    std::ranges::stable_sort(steps, {}, &Step::tap);
    for (const Step& step : steps)
      path.push_back(fmt::format("{}|{}|{}|{}|{}", column, step.kind, step.place, step.token,
                                 format_fixed(step.effect, 2)));
    path.push_back(fmt::format("{}|digit|logits|s{}|1.00", column, column + 1));
  }
  return path;
}

}  // namespace heddle
