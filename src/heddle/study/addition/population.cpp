// See population.hpp.
#include "heddle/study/addition/population.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "heddle/lens/prune/prune.hpp"
#include "heddle/lens/specialise/match.hpp"
#include "heddle/lens/stats/stats.hpp"
#include "heddle/study/addition/facts.hpp"
#include "heddle/study/addition/smaller.hpp"

namespace heddle {
namespace {

using Value = std::optional<double>;
using AskMember = std::function<Value(const MemberRecord&)>;

/// Asks every member; those that cannot answer are left out, and the estimate says how many did.
class Over {
 public:
  explicit Over(std::span<const MemberRecord> members) : members_(members) {}

  std::vector<double> values(const AskMember& ask) const {
    std::vector<double> values;
    for (const MemberRecord& member : members_)
      if (const Value value = ask(member); value && std::isfinite(*value)) values.push_back(*value);
    return values;
  }
  Estimate share(std::string name, const AskMember& ask) const {
    const std::vector<double> truths = values(ask);
    const Count count{std::ranges::count_if(truths, [](double v) { return v != 0; }),
                      static_cast<std::int64_t>(truths.size())};
    const Interval interval = clopper_pearson(count);
    return {std::move(name), EstimateKind::share, count.share(), interval.low,
            interval.high,   count.total,         count.correct};
  }
  Estimate mean(std::string name, const AskMember& ask) const {
    const std::vector<double> all = values(ask);
    const Interval interval = t_interval(all);
    return {std::move(name),
            EstimateKind::mean,
            mean_of(all),
            interval.low,
            interval.high,
            size(all),
            0};
  }
  Estimate median(std::string name, const AskMember& ask, std::string unit = "fraction") const {
    const std::vector<double> all = values(ask);
    const Interval interval = median_interval(all);
    return {std::move(name),
            EstimateKind::median,
            median_of(all),
            interval.low,
            interval.high,
            size(all),
            0,
            std::move(unit)};
  }
  Estimate worst(std::string name, const AskMember& ask, std::string unit = "fraction") const {
    const std::vector<double> all = values(ask);
    const double least = all.empty() ? 0 : *std::ranges::min_element(all);
    return {std::move(name), EstimateKind::worst, least, least,
            least,           size(all),           0,     std::move(unit)};
  }
  bool any(const AskMember& ask) const { return !values(ask).empty(); }

 private:
  static std::int64_t size(const std::vector<double>& all) {
    return static_cast<std::int64_t>(all.size());
  }

  std::span<const MemberRecord> members_;
};

Value truth(bool holds) {
  return holds ? 1.0 : 0.0;
}

std::vector<std::string> modules_of(std::span<const MemberRecord> members) {
  std::vector<std::string> modules;
  for (const MemberRecord& member : members)
    for (const Effect& effect : member.ablation.heads) {
      const std::string module = module_of(effect.what);
      if (std::ranges::find(modules, module) == modules.end()) modules.push_back(module);
    }
  return modules;
}

std::vector<Estimate> headline(const Over& over) {
  const AskMember greedy = [](const MemberRecord& m) { return Value(m.test.greedy.share()); };
  std::vector<Estimate> list{
      over.share("no error on the test problems",
                 [](const MemberRecord& m) {
                   return truth(m.test.greedy.correct == m.test.greedy.total);
                 }),
      over.median("greedy accuracy", greedy), over.worst("greedy accuracy", greedy),
      over.median("teacher-forced accuracy",
                  [](const MemberRecord& m) { return Value(m.test.teacher_forced.share()); }),
      over.median(
          "problems on which they disagree",
          [](const MemberRecord& m) { return Value(static_cast<double>(m.test.disagreements)); },
          "problems")};
  const AskMember census = [](const MemberRecord& m) {
    return m.census.greedy.total > 0 ? truth(m.census.greedy.correct == m.census.greedy.total)
                                     : std::nullopt;
  };
  if (over.any(census)) list.push_back(over.share("no error on the census", census));
  return list;
}

std::vector<Estimate> critical_modules(const Over& over, std::span<const std::string> modules) {
  std::vector<Estimate> list;
  for (const std::string& module : modules)
    list.push_back(over.share(module, [&](const MemberRecord& m) -> Value {
      const auto order = ranked(m.ablation, AblationMode::mean);
      if (order.empty()) return std::nullopt;
      return truth(module_of(order.front()->what) == module);
    }));
  return list;
}

std::vector<Estimate> profile(const Over& over, std::size_t heads) {
  std::vector<Estimate> list;
  for (std::size_t rank = 0; rank < heads; ++rank)
    list.push_back(
        over.median(fmt::format("rank {}", rank + 1), [&](const MemberRecord& m) -> Value {
          const auto order = ranked(m.ablation, AblationMode::mean);
          if (rank >= order.size()) return std::nullopt;
          return order[rank]->drop;
        }));
  return list;
}

/// Mean drop of a module's heads less the mean drop of all others.
std::vector<Estimate> contrasts(const Over& over, std::span<const std::string> modules) {
  std::vector<Estimate> list;
  for (const std::string& module : modules)
    list.push_back(over.mean(module, [&](const MemberRecord& m) -> Value {
      std::vector<double> inside, outside;
      for (const Effect* effect : ranked(m.ablation, AblationMode::mean))
        (module_of(effect->what) == module ? inside : outside).push_back(effect->drop);
      if (inside.empty() || outside.empty()) return std::nullopt;
      return mean_of(inside) - mean_of(outside);
    }));
  return list;
}

std::vector<Estimate> roles(const Over& over, std::span<const MemberRecord> members) {
  std::set<std::string> names;
  for (const MemberRecord& member : members)
    for (const HeadRole& role : member.specialisation.roles) names.insert(role.role);
  std::vector<Estimate> list;
  for (const std::string& name : names)
    list.push_back(over.share(name, [&](const MemberRecord& m) {
      return truth(std::ranges::find(m.specialisation.roles, name, &HeadRole::role) !=
                   m.specialisation.roles.end());
    }));
  return list;
}

std::vector<Estimate> pruning(const Over& over) {
  std::vector<Estimate> list;
  for (const AblationMode mode : {AblationMode::zero, AblationMode::mean}) {
    const auto counted = [&](std::string_view name, std::int64_t PruneCounts::* what) {
      list.push_back(over.median(fmt::format("heads {} ({} ablation)", name, name_of(mode)),
                                 [&](const MemberRecord& m) -> Value {
                                   const auto found = std::ranges::find(m.pruning.counts, mode,
                                                                        &PruneCounts::mode);
                                   if (found == m.pruning.counts.end()) return std::nullopt;
                                   return static_cast<double>((*found).*what);
                                 }));
    };
    counted("within 1 point", &PruneCounts::within_1_point);
    counted("within 5 points", &PruneCounts::within_5_points);
    counted("within a relative 1 %", &PruneCounts::within_relative_1_percent);
    list.push_back(over.median(
        fmt::format("joint cost of the heads within 1 point ({} ablation)", name_of(mode)),
        [&](const MemberRecord& m) -> Value {
          for (const Effect& effect : m.ablation.together)
            if (effect.what == "within 1 point" && effect.mode == mode) return effect.drop;
          return std::nullopt;
        }));
  }
  for (const PruneOrder order : {PruneOrder::measured, PruneOrder::gradient, PruneOrder::random}) {
    const std::string_view by = name_of(order);
    const AskMember free = [&](const MemberRecord& m) -> Value {
      const PruneCurve* curve = curve_of(m.pruning, order);
      if (curve == nullptr) return std::nullopt;
      return static_cast<double>(curve->free_heads);
    };
    list.push_back(over.median(fmt::format("heads that go for free, by {}", by), free, "heads"));
    list.push_back(over.worst(fmt::format("heads that go for free, by {}", by), free, "heads"));
  }
  for (const std::string_view name : names_of(SmallerKind{}))
    list.push_back(
        over.median(fmt::format("accuracy, {}", name), [&](const MemberRecord& m) -> Value {
          const auto found = std::ranges::find(m.pruning.smaller, name, &SmallerModel::name);
          if (found == m.pruning.smaller.end()) return std::nullopt;
          return found->scored.share();
        }));
  return list;
}

std::vector<Estimate> circuit(const Over& over, std::span<const MemberRecord> members) {
  std::set<std::int64_t> columns;
  std::set<std::string> targets;
  for (const MemberRecord& member : members) {
    for (const PatchEffect& effect : member.patching.heads) columns.insert(effect.column);
    for (const ProbeResult& probe : member.probing.probes) targets.insert(probe.target);
  }
  std::vector<Estimate> list;
  for (const std::int64_t column : columns)
    for (const std::string_view where : {"encoder.0.self.head.*", "encoder.1.self.head.*",
                                         "decoder.*.self.head.*", "decoder.*.cross.head.*"})
      list.push_back(
          over.median(fmt::format("carry out of column {}: strongest of {}", column, where),
                      [&](const MemberRecord& m) -> Value {
                        const auto peak = strongest_patch(m.patching, where, column);
                        return peak ? Value(peak->effect) : std::nullopt;
                      }));
  for (const std::string& target : targets)
    list.push_back(over.median(fmt::format("probe of {}: best accuracy", target),
                               [&](const MemberRecord& m) -> Value {
                                 Value best;
                                 for (const ProbeResult& probe : m.probing.probes)
                                   if (probe.target == target && (!best || probe.accuracy > *best))
                                     best = probe.accuracy;
                                 return best;
                               }));
  return list;
}

}  // namespace

Population summarise_adders(const AdditionPopulation& asked,
                            std::span<const MemberRecord> members) {
  const Over over(members);
  const std::vector<std::string> modules = modules_of(members);
  std::size_t heads = 0;
  for (const MemberRecord& member : members)
    heads = std::max(heads, ranked(member.ablation, AblationMode::mean).size());
  Population population{.recipe = field_text(asked.recipe),
                        .description = asked.description,
                        .seeds = {},
                        .headline = headline(over),
                        .critical_module = critical_modules(over, modules),
                        .profile = profile(over, heads),
                        .contrasts = contrasts(over, modules),
                        .roles = roles(over, members),
                        .pruning = pruning(over),
                        .circuit = circuit(over, members),
                        .matching = match_population(members)};
  for (const MemberRecord& member : members) population.seeds.push_back(member.seed);
  for (auto* list : {&population.headline, &population.pruning, &population.circuit})
    std::erase_if(*list, [](const Estimate& estimate) { return estimate.seeds == 0; });
  return population;
}

}  // namespace heddle
