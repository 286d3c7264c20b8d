// See prune.hpp.
#include "heddle/lens/prune/prune.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "heddle/base/index.hpp"
#include "heddle/lens/prune/fold.hpp"
#include "heddle/lens/stats/stats.hpp"

namespace heddle {
namespace {

/// All logits of one variant (−1: the member itself) on a set.
std::vector<float> logits_of(const Member& member, const EncodedQuestions& set,
                             std::span<const Variant> variants, int wanted, Team& team) {
  const Index row = set.positions() * member.model->choices();
  std::vector<float> all(to_size(set.size * row));
  run_variants(member, set, variants, team,
               [&](int variant, const ProblemBlock& block, const Tensor& logits) {
                 if (variant == wanted)
                   std::ranges::copy(logits.flat<float>(), all.begin() + block.first * row);
               });
  return all;
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return most;
}

/// The heads that go for free are cut for good, and the result is held against the masked member.
Member cut_for_good(const Member& member, const Pruner& pruner, const HeadRemoval& removal,
                    Team& team, Pruning& pruning) {
  const auto free = to_size(removal.curve.free_heads);
  const std::vector<HeadCut> cuts(removal.cuts.begin(),
                                  removal.cuts.begin() + static_cast<std::ptrdiff_t>(free));
  for (std::size_t i = 0; i < free; ++i) pruning.cut.push_back(removal.curve.points[i + 1].cut);
  Member smaller = cut_heads(member, cuts);
  if (free > 0) {
    const std::array<Variant, 1> masked{mask_heads(member, cuts)};
    pruning.logit_difference =
        largest_difference(logits_of(member, pruner.score_set(), masked, 0, team),
                           logits_of(smaller, pruner.score_set(), {}, -1, team));
  }
  pruning.smaller.push_back(smaller_model("pruned", smaller, removal.curve.points[free].scored));
  return smaller;
}

}  // namespace

HeadRemoval remove_heads(const Member& member, const PruneSets& sets,
                         const HeadRemovalOptions& options, Team& team,
                         const PruneProgress& progress) {
  const Pruner pruner(member, sets, team);
  check<UsageError>(options.keep >= 0 && options.keep <= pruner.heads(),
                    "{} heads cannot be kept: accepted is 0 to {}", options.keep, pruner.heads());
  const Index total = pruner.heads() - options.keep;
  Index done = 0;
  const auto report = [&] {
    if (progress) progress(done, total);
  };
  return pruner.remove_heads(options, {.alive = report, .removed = [&] { ++done; }});
}

Pruning prune_curves(const Member& member, const PruneRequest& request, const Ablation& singles,
                     Team& team, const PruneProgress& progress) {
  const Pruner pruner(member, request.sets, team);
  std::vector<HeadRemovalOptions> plans;
  for (const PruneOrder by : request.options.by) {
    const Index repeats = by == PruneOrder::random ? request.options.random_repeats : 1;
    for (Index repeat = 0; repeat < repeats; ++repeat)
      plans.push_back({.by = by, .repeat = repeat});
  }
  Pruning pruning;
  for (const AblationMode mode : {AblationMode::zero, AblationMode::mean})
    if (std::ranges::count(singles.heads, mode, &Effect::mode) > 0)
      pruning.counts.push_back(prune_counts(singles, mode));
  pruning.smaller.push_back(smaller_model("intact", member, pruner.scored().count()));
  const Index total = pruner.heads() * std::ssize(plans);
  Index done = 0;
  const auto report = [&] {
    if (progress) progress(done, total);
  };
  for (const HeadRemovalOptions& plan : plans) {
    HeadRemoval removal = pruner.remove_heads(plan, {.alive = report, .removed = [&] { ++done; }});
    if (plan.by == PruneOrder::measured) {
      const Member smaller = cut_for_good(member, pruner, removal, team, pruning);
      if (request.see_cut) request.see_cut(smaller);
    }
    pruning.curves.push_back(std::move(removal.curve));
  }
  return pruning;
}

PruneCounts prune_counts(const Ablation& singles, AblationMode mode) {
  constexpr std::int64_t kPercent = 100;
  PruneCounts counts;
  counts.mode = mode;
  for (const Effect& effect : singles.heads) {
    if (effect.mode != counts.mode) continue;
    // In answers, not shares: 1 point is exactly one in a hundred.
    const std::int64_t lost = singles.baseline.correct - effect.count.correct;
    const std::int64_t total = singles.baseline.total;
    ++counts.heads;
    counts.within_1_point += kPercent * lost <= total ? 1 : 0;
    counts.within_5_points += kPercent * lost <= 5 * total ? 1 : 0;
    counts.within_relative_1_percent += kPercent * lost <= singles.baseline.correct ? 1 : 0;
    if (kPercent * lost > total) counts.must_retain.push_back(effect.what);
  }
  return counts;
}

SmallerModel smaller_model(std::string name, const Member& member, const Count& scored) {
  const Interval interval = wilson(scored);
  return {.name = std::move(name),
          .heads_left = static_cast<std::int64_t>(heads_of(member).size()),
          .parameters = member.model->layout().parameter_count(),
          .steps = 0,
          .scored = scored,
          .low = interval.low,
          .high = interval.high};
}

}  // namespace heddle
