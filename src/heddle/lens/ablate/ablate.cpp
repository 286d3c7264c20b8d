// See ablate.hpp.
#include "heddle/lens/ablate/ablate.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <list>
#include <utility>

#include "heddle/base/fields.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/lens/stats/stats.hpp"
#include "heddle/task/addition/carries.hpp"

namespace heddle {
namespace {

constexpr std::array<std::string_view, 3> kModes = {"zero", "mean", "resample"};
constexpr double kCritical = 0.10, kImportant = 0.01;
constexpr std::array<std::pair<double, std::string_view>, 2> kCheap = {
    {{0.01, "within 1 point"}, {0.05, "within 5 points"}}};

/// A share of answers lost, gathered over classes of problems.
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

/// Drops by what a task's answers are made of: of addition digits and carries, of any other
/// sequence its positions.
void tell_positions(const Verdicts& intact, std::span<const Verdicts> ablated, const ForcedSet& set,
                    Effect& effect) {
  const auto positions = static_cast<std::size_t>(intact.positions);
  DropByClass by_position(positions);
  for (std::size_t at = 0; at < intact.tokens.size(); ++at)
    if (set.wanted()[at] != kNoTarget)
      by_position.add(at % positions,
                      intact.tokens[at] - share_right(ablated, at, &Verdicts::tokens));
  effect.by_position = by_position.drops();
}

void tell_classes(const Verdicts& intact, std::span<const Verdicts> ablated, const ForcedSet& set,
                  Effect& effect) {
  if (!set.adds()) {
    if (!set.labels()) tell_positions(intact, ablated, set, effect);
    return;
  }
  const int digits = set.encoding().digits();
  DropByClass by_digit(static_cast<std::size_t>(digits) + 1), by_carries = by_digit;
  const auto positions = static_cast<std::size_t>(intact.positions);
  for (std::size_t i = 0; i < intact.right.size(); ++i) {
    by_carries.add(static_cast<std::size_t>(carries_of(set.problems()[i]).count),
                   intact.right[i] - share_right(ablated, i, &Verdicts::right));
    for (std::size_t t = 0; t < positions; ++t) {
      const int column = set.encoding().column_of(static_cast<Index>(t));
      if (column < 0) continue;
      const std::size_t at = i * positions + t;
      by_digit.add(static_cast<std::size_t>(column),
                   intact.tokens[at] - share_right(ablated, at, &Verdicts::tokens));
    }
  }
  effect.by_digit = by_digit.drops();
  effect.by_carries = by_carries.drops();
}

/// Several passes (donors): the problem is the unit, its score the share of passes that are right.
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

/// What is ablated, how, and where its passes stand among the verdicts.
struct Plan {
  std::vector<Head> heads;
  AblationMode mode = AblationMode::mean;
  std::string what;
  std::size_t first = 0, passes = 0;
};

/// Builds the list of variants and turns their verdicts into effects.
class Ablator {
 public:
  Ablator(const Member& member, AblationSets sets, const AblationOptions& options, Team& team)
      : member_(member),
        options_(options),
        team_(team),
        set_(std::move(sets.scored)),
        outputs_(member, sets.reference, team),
        heads_(heads_of(member)) {
    check<UsageError>(set_.size() > 0 && outputs_.problems() > 0,
                      "ablation: no problems to score or to take means from");
    for (Index k = 0; k < options.donors; ++k) {
      Rng rng(member.config.seed, "ablation.donors", static_cast<std::uint64_t>(k));
      std::vector<Index>& donors = donors_.emplace_back();
      for (Index i = 0; i < set_.size(); ++i) donors.push_back(draw_donor(rng, sets.reference, i));
    }
  }

  Ablation run(const VariantProgress& progress) {
    std::vector<Plan> singles, modules, alone, pairs;
    for (const AblationMode mode : options_.modes)
      for (const Head& head : heads_) singles.push_back(plan({head}, mode, head.name));
    if (options_.modules)
      for (const std::string& module : module_names())
        modules.push_back(plan(heads_in(module), joint_mode(), module));
    if (options_.leave_one_in) plan_leave_one_in(alone);
    if (options_.pairs)
      for (std::size_t a = 0; a < heads_.size(); ++a)
        for (std::size_t b = a + 1; b < heads_.size(); ++b)
          pairs.push_back(plan({heads_[a], heads_[b]}, joint_mode(), ""));
    verdicts_ = judge_variants(member_, set_, variants_, team_, progress);

    Ablation ablation{.baseline = verdicts_[0].count(),
                      .margin = verdicts_[0].mean_margin(),
                      .reference = outputs_.problems(),
                      .donors = options_.donors,
                      .heads = effects(singles),
                      .modules = effects(modules),
                      .leave_one_in = effects(alone),
                      .pairs = {},
                      .together = {}};
    adjust(ablation.heads);
    adjust(ablation.modules);
    adjust(ablation.leave_one_in);
    for (const Plan& plan : pairs) ablation.pairs.push_back(pair_effect(plan, ablation.heads));
    if (options_.together) ablation.together = together(ablation.heads);
    return ablation;
  }

 private:
  /// Any of the reference, at least as long where lengths differ. (Where none of many draws is, the
  /// mean stands in for what the donor lacks.)
  Index draw_donor(Rng& rng, const ForcedSet& reference, Index problem) const {
    constexpr int kDraws = 64;
    Index donor = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
      donor = static_cast<Index>(rng.below(static_cast<std::uint64_t>(reference.size())));
      const bool reaches =
          !reference.padded() ||
          (reference.used(Stream::source, donor) >= set_.used(Stream::source, problem) &&
           (set_.labels() ||
            reference.used(Stream::target, donor) >= set_.used(Stream::target, problem)));
      if (reaches) break;
    }
    return donor;
  }
  /// What several heads at once are ablated by: means, if they are asked for at all.
  AblationMode joint_mode() const {
    const bool mean = std::ranges::count(options_.modes, AblationMode::mean) > 0;
    return mean ? AblationMode::mean : options_.modes.front();
  }
  Plan plan(std::vector<Head> heads, AblationMode mode, std::string what) {
    const std::size_t first = variants_.size() + 1;  // the intact member comes first
    switch (mode) {
      case AblationMode::zero:
        variants_.push_back(replace_heads(heads, zero_fill()));
        break;
      case AblationMode::mean:
        variants_.push_back(replace_heads(heads, mean_fill(outputs_)));
        break;
      case AblationMode::resample:
        for (const auto& donors : donors_)
          variants_.push_back(replace_heads(heads, donor_fill(outputs_, donors)));
        break;
    }
    return {std::move(heads), mode, std::move(what), first, variants_.size() + 1 - first};
  }

  /// All heads at once that alone cost little: single drops do not add up.
  std::vector<Effect> together(std::span<const Effect> singles) {
    variants_.clear();
    std::vector<Plan> plans;
    for (const AblationMode mode : {AblationMode::zero, AblationMode::mean})
      for (const auto& [points, name] : kCheap) {
        std::vector<Head> cheap;
        for (const Head& head : heads_)
          for (const Effect& single : singles)
            if (single.what == head.name && single.mode == name_of(mode) && single.drop <= points)
              cheap.push_back(head);
        if (!cheap.empty()) plans.push_back(plan(cheap, mode, std::string(name)));
      }
    verdicts_ = judge_variants(member_, set_, variants_, team_);
    return effects(plans);
  }

  void plan_leave_one_in(std::vector<Plan>& alone) {
    for (const Head& head : heads_) {
      std::vector<Head> others = heads_in(head.module);
      std::erase_if(others, [&](const Head& other) { return other.name == head.name; });
      if (!others.empty()) alone.push_back(plan(others, joint_mode(), head.name));
    }
  }

  std::vector<std::string> module_names() const {
    std::vector<std::string> names;
    for (const Head& head : heads_)
      if (names.empty() || names.back() != head.module) names.push_back(head.module);
    return names;
  }
  std::vector<Head> heads_in(const std::string& module) const {
    std::vector<Head> found;
    std::ranges::copy_if(heads_, std::back_inserter(found),
                         [&](const Head& head) { return head.module == module; });
    return found;
  }

  std::span<const Verdicts> passes_of(const Plan& plan) const {
    return std::span(verdicts_).subspan(plan.first, plan.passes);
  }
  std::vector<Effect> effects(std::span<const Plan> plans) const {
    std::vector<Effect> list;
    for (const Plan& plan : plans) {
      Effect effect = effect_of(verdicts_[0], passes_of(plan), set_);
      effect.what = plan.what;
      effect.mode = name_of(plan.mode);
      list.push_back(std::move(effect));
    }
    return list;
  }
  static void adjust(std::vector<Effect>& effects) {
    std::vector<double> p;
    for (const Effect& effect : effects) p.push_back(effect.p);
    const std::vector<double> adjusted = holm(p);
    for (std::size_t i = 0; i < effects.size(); ++i) effects[i].p_holm = adjusted[i];
  }
  /// What two heads cost together, beside the sum of what each costs alone.
  PairEffect pair_effect(const Plan& plan, std::span<const Effect> singles) const {
    const Effect both = effect_of(verdicts_[0], passes_of(plan), set_);
    PairEffect pair{.a = plan.heads[0].name,
                    .b = plan.heads[1].name,
                    .count = both.count,
                    .drop = both.drop,
                    .low = both.low,
                    .high = both.high,
                    .excess = both.drop};
    for (const Effect& single : singles)
      if (single.mode == name_of(joint_mode()) && (single.what == pair.a || single.what == pair.b))
        pair.excess -= single.drop;
    return pair;
  }

  const Member& member_;
  const AblationOptions& options_;
  Team& team_;
  ForcedSet set_;
  HeadOutputs outputs_;
  std::vector<Head> heads_;
  std::list<std::vector<Index>> donors_;  // fills point at them
  std::vector<Variant> variants_;
  std::vector<Verdicts> verdicts_;
};

}  // namespace

std::string_view name_of(AblationMode mode) {
  return kModes[static_cast<std::size_t>(mode)];
}

AblationMode parse_ablation_mode(std::string_view text) {
  return static_cast<AblationMode>(parse_name("--mode", text, kModes));
}

std::string_view band_of(double drop) {
  if (drop > kCritical) return "critical";
  return drop > kImportant ? "important" : "redundant";
}

Effect effect_of(const Verdicts& intact, std::span<const Verdicts> ablated, const ForcedSet& set) {
  Effect effect;
  double margin = 0;
  for (const Verdicts& pass : ablated) {
    effect.count += pass.count();
    margin += pass.mean_margin() / static_cast<double>(ablated.size());
  }
  effect.margin_drop = intact.mean_margin() - margin;
  if (ablated.size() == 1) {
    const Paired paired = pair_up(intact.right, ablated[0].right);
    const Interval interval = newcombe(paired);
    effect.drop = paired.difference();
    effect.low = interval.low;
    effect.high = interval.high;
    effect.p = mcnemar(paired);
  } else {
    compare_shares(intact, ablated, effect);
  }
  tell_classes(intact, ablated, set, effect);
  effect.band = band_of(effect.drop);
  return effect;
}

Ablation ablate(const Member& member, AblationSets sets, const AblationOptions& options, Team& team,
                const VariantProgress& progress) {
  check<UsageError>(!options.modes.empty(), "ablation: no mode was chosen");
  return Ablator(member, std::move(sets), options, team).run(progress);
}

Ablation ablate(const Member& member, const AblationProblems& problems,
                const AblationOptions& options, Team& team, const VariantProgress& progress) {
  const TaskConfig& task = member.config.task;
  return ablate(member,
                AblationSets{.scored = ForcedSet(task, problems.scored),
                             .reference = ForcedSet(task, problems.reference)},
                options, team, progress);
}

std::vector<HeadEffect> heads_behind(const Member& member, const Problem& problem,
                                     std::span<const Problem> reference, Team& team) {
  const TaskConfig& task = member.config.task;
  return heads_behind(member, ForcedSet(task, std::span(&problem, 1)), ForcedSet(task, reference),
                      team);
}

std::vector<HeadEffect> heads_behind(const Member& member, const ForcedSet& asked,
                                     const ForcedSet& reference, Team& team) {
  const HeadOutputs outputs(member, reference, team);
  std::vector<Variant> variants;
  const std::vector<Head> heads = heads_of(member);
  for (const Head& head : heads) variants.push_back(replace_heads({head}, mean_fill(outputs)));
  const std::vector<Verdicts> verdicts = judge_variants(member, asked, variants, team);
  std::vector<HeadEffect> effects;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    double lost = 0;
    for (std::size_t t = 0; t < static_cast<std::size_t>(verdicts[0].positions); ++t)
      lost += static_cast<double>(verdicts[0].margins[t] - verdicts[i + 1].margins[t]);
    effects.push_back({heads[i].name, lost});
  }
  std::ranges::stable_sort(effects, std::greater{}, &HeadEffect::effect);
  return effects;
}

}  // namespace heddle
