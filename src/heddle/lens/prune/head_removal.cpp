// See head_removal.hpp.
#include "heddle/lens/prune/head_removal.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/config/head_names.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/prune/fold.hpp"
#include "heddle/lens/prune/importance.hpp"
#include "heddle/lens/stats/stats.hpp"

namespace heddle {
namespace {

/// The names that the heads of a member have in the whole model, in the order of heads_of().
std::vector<std::string> whole_names(const Member& member) {
  std::vector<std::string> names;
  for (const Head& head : heads_of(member))
    names.push_back(whole_name(member.config.model, head.module, head.index));
  return names;
}

/// A question that the first gets right and the second does not.
bool new_mistake(const Verdicts& intact, const Verdicts& pruned) {
  for (std::size_t i = 0; i < intact.right.size(); ++i)
    if (intact.right[i] > pruned.right[i]) return true;
  return false;
}

VariantProgress watched(const HeadRemovalProgress& progress) {
  return [&progress](Index, Index) {
    if (progress.alive) progress.alive();
  };
}

PrunePoint point_of(Index left, std::string cut, const Verdicts& chosen, const Verdicts& scored) {
  const Interval interval = wilson(scored.count());
  return {.heads_left = left,
          .cut = std::move(cut),
          .chosen_on = chosen.count(),
          .scored = scored.count(),
          .low = interval.low,
          .high = interval.high};
}

}  // namespace

Pruner::Pruner(const Member& member, const PruneSets& sets, Team& team)
    : member_(member),
      team_(team),
      choose_(encoded(member, sets.choose)),
      score_(encoded(member, sets.score)),
      reference_(encoded(member, sets.reference)),
      names_(whole_names(member)) {
  check<UsageError>(
      choose_.size > 0 && score_.size > 0 && reference_.size > 0,
      "pruning: no questions to choose heads on, to score them or to take means from");
  chosen_ = judge(member, choose_, {});
  scored_ = judge(member, score_, {});
  if (!sets.proof) return;
  proof_ = encoded(member, *sets.proof);
  proven_ = judge(member, *proof_, {});
}

Verdicts Pruner::judge(const Member& member, const EncodedQuestions& set,
                       const HeadRemovalProgress& progress) const {
  return judge_variants(member, set, {}, team_, watched(progress))[0];
}

bool Pruner::makes_no_new_mistake(const Member& current,
                                  const HeadRemovalProgress& progress) const {
  return !proof_ || !new_mistake(proven_, judge(current, *proof_, progress));
}

HeadRemoval Pruner::remove_heads(const HeadRemovalOptions& options,
                                 const HeadRemovalProgress& progress) const {
  HeadRemoval removal{.curve = {.by = options.by,
                                .repeat = options.repeat,
                                .points = {point_of(heads(), "", chosen_, scored_)}},
                      .cuts = {}};
  const std::vector<Head> own = heads_of(member_);
  const std::int64_t intact = chosen_.count().correct;
  bool free = true;
  Member current = cut_heads(member_, {});
  for (Index left = heads() - 1; left >= options.keep; --left) {
    const Rows rows = folded_outputs(current, reference_, team_);
    const std::size_t at = pick(current, rows, options, progress);
    const std::string name = whole_names(current)[at];
    const auto number = std::ranges::find(names_, name) - names_.begin();
    removal.cuts.push_back({own[to_size(number)].name, rows[at]});
    current = cut_heads(member_, removal.cuts);
    const Verdicts chosen = judge(current, choose_, progress);
    const auto lost = static_cast<double>(intact - chosen.count().correct);
    if (lost > options.max_drop * static_cast<double>(choose_.size)) {
      removal.cuts.pop_back();
      break;
    }
    const Verdicts scored = judge(current, score_, progress);
    free = free && !new_mistake(scored_, scored) && makes_no_new_mistake(current, progress);
    removal.curve.free_heads += free ? 1 : 0;
    removal.curve.points.push_back(point_of(left, name, chosen, scored));
    if (progress.removed) progress.removed();
  }
  return removal;
}

std::size_t Pruner::pick(const Member& current, const Rows& rows, const HeadRemovalOptions& options,
                         const HeadRemovalProgress& progress) const {
  switch (options.by) {
    case PruneOrder::measured:
      return best_left(current, rows, progress);
    case PruneOrder::random:
      return next_random_head(current, options.repeat);
    case PruneOrder::gradient:
      break;
  }
  if (progress.alive) progress.alive();
  const std::vector<double> importance = head_importance(current, choose_, team_);
  return to_size(std::ranges::min_element(importance) - importance.begin());
}

/// The head without which most answers are right; among equals the largest mean margin, then the
/// first.
std::size_t Pruner::best_left(const Member& current, const Rows& rows,
                              const HeadRemovalProgress& progress) const {
  const std::vector<Head> heads = heads_of(current);
  std::vector<Variant> variants;
  for (std::size_t h = 0; h < heads.size(); ++h)
    variants.push_back(mask_heads(current, {{.head = heads[h].name, .output = rows[h]}}));
  const auto verdicts = judge_variants(current, choose_, variants, team_, watched(progress));
  std::size_t best = 0;
  const auto rank = [&](std::size_t h) {
    return std::pair(verdicts[h + 1].count().correct, verdicts[h + 1].mean_margin());
  };
  for (std::size_t h = 1; h < heads.size(); ++h)
    if (rank(h) > rank(best)) best = h;
  return best;
}

std::size_t Pruner::next_random_head(const Member& current, Index repeat) const {
  std::vector<std::string> order = names_;
  Rng rng(member_.config.seed, "prune.random", static_cast<std::uint64_t>(repeat));
  rng.shuffle(std::span(order));
  const std::vector<std::string> left = whole_names(current);
  const std::size_t gone = names_.size() - left.size();
  return to_size(std::ranges::find(left, order[gone]) - left.begin());
}

}  // namespace heddle
