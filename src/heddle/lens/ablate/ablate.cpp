// See ablate.hpp.
#include "heddle/lens/ablate/ablate.hpp"

#include <algorithm>
#include <array>
#include <list>
#include <utility>

#include "heddle/base/rng.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/stats/stats.hpp"

namespace heddle {
namespace {

constexpr std::array<std::pair<double, std::string_view>, 2> kCheap = {
    {{0.01, "within 1 point"}, {0.05, "within 5 points"}}};

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
  Ablator(const Member& member, const AblationSets& sets, const AblationOptions& options,
          Team& team)
      : member_(member),
        options_(options),
        team_(team),
        set_(encoded(member, sets.scored)),
        breakdown_(breakdown_of(member.model->shape(), sets.facets, sets.scored)),
        reference_(encoded(member, sets.reference)),
        outputs_(member, reference_, team),
        heads_(heads_of(member)) {
    for (Index k = 0; k < options.donors; ++k) {
      Rng rng(member.config.seed, "ablation.donors", static_cast<std::uint64_t>(k));
      std::vector<Index>& donors = donors_.emplace_back();
      for (Index i = 0; i < set_.size; ++i) donors.push_back(draw_donor(rng, i));
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
  Index draw_donor(Rng& rng, Index problem) const {
    constexpr int kDraws = 64;
    Index donor = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
      donor = static_cast<Index>(rng.below(static_cast<std::uint64_t>(reference_.size)));
      if (!padded_ || reaches(donor, problem)) break;
    }
    return donor;
  }
  bool reaches(Index donor, Index problem) const {
    const auto as_long = [&](Stream stream) {
      return reference_.used(stream, donor) >= set_.used(stream, problem);
    };
    return as_long(Stream::source) && (set_.labels || as_long(Stream::target));
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
            if (single.what == head.name && single.mode == mode && single.drop <= points)
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
      Effect effect = effect_of(verdicts_[0], passes_of(plan), set_, breakdown_);
      effect.what = plan.what;
      effect.mode = plan.mode;
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
    const Effect both = effect_of(verdicts_[0], passes_of(plan), set_, breakdown_);
    PairEffect pair{.a = plan.heads[0].name,
                    .b = plan.heads[1].name,
                    .count = both.count,
                    .drop = both.drop,
                    .low = both.low,
                    .high = both.high,
                    .excess = both.drop};
    for (const Effect& single : singles)
      if (single.mode == joint_mode() && (single.what == pair.a || single.what == pair.b))
        pair.excess -= single.drop;
    return pair;
  }

  const Member& member_;
  const AblationOptions& options_;
  Team& team_;
  EncodedQuestions set_;
  Breakdown breakdown_;
  EncodedQuestions reference_;
  bool padded_ = reference_.padded();
  HeadOutputs outputs_;
  std::vector<Head> heads_;
  std::list<std::vector<Index>> donors_;  // fills point at them
  std::vector<Variant> variants_;
  std::vector<Verdicts> verdicts_;
};

}  // namespace

Ablation ablate(const Member& member, const AblationSets& sets, const AblationOptions& options,
                Team& team, const VariantProgress& progress) {
  check<UsageError>(!options.modes.empty(), "ablation: no mode was chosen");
  check<UsageError>(sets.scored.size() > 0 && sets.reference.size() > 0,
                    "ablation: no questions to score or to take means from");
  return Ablator(member, sets, options, team).run(progress);
}

}  // namespace heddle
