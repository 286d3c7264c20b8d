// See prune.hpp.
#include "heddle/lens/prune/prune.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "heddle/base/fields.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/config/head_names.hpp"
#include "heddle/lens/prune/fold.hpp"
#include "heddle/lens/prune/importance.hpp"
#include "heddle/lens/stats/stats.hpp"

namespace heddle {
namespace {

constexpr std::array<std::string_view, 3> kOrders = {"measured", "gradient", "random"};

/// The names that the heads of a member have in the whole model, in the order of heads_of().
std::vector<std::string> whole_names(const Member& member) {
  std::vector<std::string> names;
  for (const Head& head : heads_of(member))
    names.push_back(whole_name(member.config.model, head.module, head.index));
  return names;
}

/// A problem that the first gets right and the second does not.
bool new_mistake(const Verdicts& intact, const Verdicts& pruned) {
  for (std::size_t i = 0; i < intact.right.size(); ++i)
    if (intact.right[i] > pruned.right[i]) return true;
  return false;
}

/// What all descents of one member share.
class Pruner {
 public:
  Pruner(const Member& member, PruneSets sets, Team& team)
      : member_(member),
        team_(team),
        choose_(std::move(sets.choose)),
        score_(std::move(sets.score)),
        reference_(std::move(sets.reference)),
        proof_(std::move(sets.proof)),
        names_(whole_names(member)) {
    check<UsageError>(
        choose_.size() > 0 && score_.size() > 0 && reference_.size() > 0,
        "pruning: no problems to choose heads on, to score them or to take means from");
    chosen_ = judge(member, choose_, {});
    scored_ = judge(member, score_, {});
    if (proof_) proven_ = judge(member, *proof_, {});
  }

  Index heads() const { return static_cast<Index>(names_.size()); }
  const Verdicts& scored() const { return scored_; }
  const ForcedSet& score_set() const { return score_; }

  Descent descend(const DescentOptions& options, const std::function<void()>& alive,
                  const std::function<void()>& removed);
  Verdicts judge(const Member& member, const ForcedSet& set,
                 const std::function<void()>& alive) const {
    return judge_variants(member, set, {}, team_, watch(alive))[0];
  }

 private:
  static VariantProgress watch(const std::function<void()>& alive) {
    return [&alive](Index, Index) {
      if (alive) alive();
    };
  }
  /// No new mistake on the further problems either.
  bool proves_free(const Member& current, const std::function<void()>& alive) const {
    return !proof_ || !new_mistake(proven_, judge(current, *proof_, alive));
  }
  PrunePoint point(Index left, std::string cut, const Verdicts& chosen,
                   const Verdicts& scored) const;
  std::size_t pick(const Member& current, const std::vector<std::vector<float>>& rows,
                   const DescentOptions& options, const std::function<void()>& alive) const;
  std::size_t best_left(const Member& current, const std::vector<std::vector<float>>& rows,
                        const std::function<void()>& alive) const;
  std::size_t next_at_random(const Member& current, Index repeat) const;

  const Member& member_;
  Team& team_;
  ForcedSet choose_, score_, reference_;
  std::optional<ForcedSet> proof_;
  std::vector<std::string> names_;     // of the member's heads, in the whole model
  Verdicts chosen_, scored_, proven_;  // of the member as it came
};

PrunePoint Pruner::point(Index left, std::string cut, const Verdicts& chosen,
                         const Verdicts& scored) const {
  const Interval interval = wilson(scored.count());
  return {.heads_left = left,
          .cut = std::move(cut),
          .chosen_on = chosen.count(),
          .scored = scored.count(),
          .low = interval.low,
          .high = interval.high};
}

Descent Pruner::descend(const DescentOptions& options, const std::function<void()>& alive,
                        const std::function<void()>& removed) {
  Descent descent{.curve = {.by = std::string(name_of(options.by)),
                            .repeat = options.repeat,
                            .points = {point(heads(), "", chosen_, scored_)}},
                  .cuts = {}};
  const std::vector<Head> own = heads_of(member_);
  const std::int64_t intact = chosen_.count().correct;
  bool free = true;
  Member current = cut_heads(member_, {});
  for (Index left = heads() - 1; left >= options.keep; --left) {
    const auto rows = folded_outputs(current, reference_, team_);
    const std::size_t at = pick(current, rows, options, alive);
    const std::string name = whole_names(current)[at];
    const auto place = std::ranges::find(names_, name) - names_.begin();
    descent.cuts.push_back({own[static_cast<std::size_t>(place)].name, rows[at]});
    current = cut_heads(member_, descent.cuts);
    const Verdicts chosen = judge(current, choose_, alive);
    const auto lost = static_cast<double>(intact - chosen.count().correct);
    if (lost > options.max_drop * static_cast<double>(choose_.size())) {
      descent.cuts.pop_back();
      break;
    }
    const Verdicts scored = judge(current, score_, alive);
    free = free && !new_mistake(scored_, scored) && proves_free(current, alive);
    descent.curve.free_heads += free ? 1 : 0;
    descent.curve.points.push_back(point(left, name, chosen, scored));
    if (removed) removed();
  }
  return descent;
}

std::size_t Pruner::pick(const Member& current, const std::vector<std::vector<float>>& rows,
                         const DescentOptions& options, const std::function<void()>& alive) const {
  switch (options.by) {
    case PruneOrder::measured:
      return best_left(current, rows, alive);
    case PruneOrder::random:
      return next_at_random(current, options.repeat);
    case PruneOrder::gradient:
      break;
  }
  if (alive) alive();
  const std::vector<double> importance = head_importance(current, choose_, team_);
  return static_cast<std::size_t>(std::ranges::min_element(importance) - importance.begin());
}

/// The head without which most answers are right; among equals the largest mean margin, then the
/// first.
std::size_t Pruner::best_left(const Member& current, const std::vector<std::vector<float>>& rows,
                              const std::function<void()>& alive) const {
  const std::vector<Head> heads = heads_of(current);
  std::vector<Variant> variants;
  for (std::size_t h = 0; h < heads.size(); ++h)
    variants.push_back(mask_heads(current, {{.head = heads[h].name, .output = rows[h]}}));
  const auto verdicts = judge_variants(current, choose_, variants, team_, watch(alive));
  std::size_t best = 0;
  const auto rank = [&](std::size_t h) {
    return std::pair(verdicts[h + 1].count().correct, verdicts[h + 1].mean_margin());
  };
  for (std::size_t h = 1; h < heads.size(); ++h)
    if (rank(h) > rank(best)) best = h;
  return best;
}

std::size_t Pruner::next_at_random(const Member& current, Index repeat) const {
  std::vector<std::string> order = names_;
  Rng rng(member_.config.seed, "prune.random", static_cast<std::uint64_t>(repeat));
  rng.shuffle(std::span(order));
  const std::vector<std::string> left = whole_names(current);
  const std::size_t gone = names_.size() - left.size();
  return static_cast<std::size_t>(std::ranges::find(left, order[gone]) - left.begin());
}

/// All logits of one variant (−1: the member itself) on a set.
std::vector<float> logits_of(const Member& member, const ForcedSet& set,
                             std::span<const Variant> variants, int wanted, Team& team) {
  const Index row = set.positions() * member.model->choices();
  std::vector<float> all(static_cast<std::size_t>(set.size() * row));
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
Member cut_for_good(const Member& member, Pruner& pruner, const Descent& descent, Team& team,
                    Pruning& pruning) {
  const auto free = static_cast<std::size_t>(descent.curve.free_heads);
  const std::vector<HeadCut> cuts(descent.cuts.begin(),
                                  descent.cuts.begin() + static_cast<std::ptrdiff_t>(free));
  for (std::size_t i = 0; i < free; ++i) pruning.cut.push_back(descent.curve.points[i + 1].cut);
  Member smaller = cut_heads(member, cuts);
  if (free > 0) {
    const std::array<Variant, 1> masked{mask_heads(member, cuts)};
    pruning.logit_difference =
        largest_difference(logits_of(member, pruner.score_set(), masked, 0, team),
                           logits_of(smaller, pruner.score_set(), {}, -1, team));
  }
  pruning.smaller.push_back(smaller_model("pruned", smaller, descent.curve.points[free].scored));
  return smaller;
}

}  // namespace

std::string_view name_of(PruneOrder order) {
  return kOrders[static_cast<std::size_t>(order)];
}

PruneOrder parse_prune_order(std::string_view text) {
  return static_cast<PruneOrder>(parse_name("--by", text, kOrders));
}

PruneSets sets_of(const Member& member, const PruneProblems& problems) {
  const TaskConfig& task = member.config.task;
  PruneSets sets{.choose = ForcedSet(task, problems.choose),
                 .score = ForcedSet(task, problems.score),
                 .reference = ForcedSet(task, problems.reference)};
  if (!problems.proof.empty()) sets.proof.emplace(task, problems.proof);
  return sets;
}

Descent descend(const Member& member, PruneSets sets, const DescentOptions& options, Team& team,
                const PruneProgress& progress) {
  Pruner pruner(member, std::move(sets), team);
  check<UsageError>(options.keep >= 0 && options.keep <= pruner.heads(),
                    "{} heads cannot be kept: accepted is 0 to {}", options.keep, pruner.heads());
  const Index total = pruner.heads() - options.keep;
  Index done = 0;
  const auto tell = [&] {
    if (progress) progress(done, total);
  };
  return pruner.descend(options, tell, [&] { ++done; });
}

Pruning prune_curves(const Member& member, PruneRequest request, const Ablation& singles,
                     Team& team, const PruneProgress& progress) {
  Pruner pruner(member, std::move(request.sets), team);
  std::vector<DescentOptions> plans;
  for (const PruneOrder by : request.options.by) {
    const Index repeats = by == PruneOrder::random ? request.options.random_repeats : 1;
    for (Index repeat = 0; repeat < repeats; ++repeat)
      plans.push_back({.by = by, .repeat = repeat});
  }
  Pruning pruning;
  for (const std::string_view mode : {"zero", "mean"})
    if (std::ranges::count(singles.heads, mode, &Effect::mode) > 0)
      pruning.counts.push_back(prune_counts(singles, mode));
  pruning.smaller.push_back(smaller_model("intact", member, pruner.scored().count()));
  const Index total = pruner.heads() * static_cast<Index>(plans.size());
  Index done = 0;
  const auto tell = [&] {
    if (progress) progress(done, total);
  };
  for (const DescentOptions& plan : plans) {
    Descent descent = pruner.descend(plan, tell, [&] { ++done; });
    if (plan.by == PruneOrder::measured) {
      const Member smaller = cut_for_good(member, pruner, descent, team, pruning);
      if (request.see_cut) request.see_cut(smaller);
    }
    pruning.curves.push_back(std::move(descent.curve));
  }
  return pruning;
}

PruneCounts prune_counts(const Ablation& singles, std::string_view mode) {
  constexpr std::int64_t kPercent = 100;
  PruneCounts counts;
  counts.mode = mode;
  for (const Effect& effect : singles.heads) {
    if (effect.mode != mode) continue;
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
