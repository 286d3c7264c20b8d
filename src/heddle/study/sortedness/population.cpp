// See population.hpp.
#include "heddle/study/sortedness/population.hpp"

#include <algorithm>
#include <array>

#include "heddle/lens/stats/stats.hpp"
#include "heddle/nn/pooling.hpp"

namespace heddle {
namespace {

struct Measure {
  std::string_view name;
  double (*of)(const SortCell&);
};

double accuracy_of(const SortCell& cell) {
  return static_cast<double>(cell.correct) / static_cast<double>(cell.total);
}

constexpr std::string_view kPairs = "pairs";

constexpr std::array kMeasures{
    Measure{"accuracy", [](const SortCell& cell) { return accuracy_of(cell); }},
    Measure{"tpr", [](const SortCell& cell) { return cell.tpr; }},
    Measure{"tnr", [](const SortCell& cell) { return cell.tnr; }},
    Measure{"auroc", [](const SortCell& cell) { return cell.auroc; }},
    Measure{kPairs, [](const SortCell& cell) {
              return static_cast<double>(cell.pairs_correct) /
                     static_cast<double>(cell.pairs_total);
            }}};

/// Cell number `at` of every member, as one estimate; all members are asked the same cells.
SortEstimate estimate(const std::vector<const SortMember*>& members, std::size_t at,
                      const Measure& measure, bool given_learned) {
  const SortCell& first = members.front()->cells[at];
  std::vector<double> values;
  for (const SortMember* member : members) values.push_back(measure.of(member->cells[at]));
  const Interval interval = median_interval(values);
  return {.length = first.length,
          .kind = first.kind,
          .delta = first.delta,
          .values = first.values,
          .measure = std::string(measure.name),
          .given_learned = given_learned,
          .seeds = static_cast<std::int64_t>(values.size()),
          .median = median_of(values),
          .low = interval.low,
          .high = interval.high,
          .worst = std::ranges::min(values),
          .best = std::ranges::max(values),
          .ceiling = measure.name == "accuracy" ? first.ceiling : -1};
}

void add_estimates(SortPopulation& population, const std::vector<const SortMember*>& members,
                   bool given_learned) {
  if (members.empty()) return;
  for (std::size_t at = 0; at < members.front()->cells.size(); ++at)
    for (const Measure& measure : kMeasures) {
      const bool twins = members.front()->cells[at].pairs_total > 0;
      if (measure.name == kPairs && !twins) continue;
      if (!given_learned || measure.name == "accuracy")
        population.estimates.push_back(estimate(members, at, measure, given_learned));
    }
}

}  // namespace

SortPopulation summarise_sorters(const SortednessRecipe& recipe,
                                 std::span<const SortMember> members) {
  const ModelConfig& model = recipe.config.model;
  SortPopulation population;
  population.recipe = recipe.name;
  population.group = field_text(recipe.group);
  population.description = recipe.description;
  population.position = field_text(model.position);
  population.pooling = field_text(model.pooling);
  population.normaliser = field_text(model.normaliser);
  population.direction = field_text(model.direction);
  population.values = field_text(recipe.config.task.values);
  population.reads_order = reads_order(static_cast<PoolingKind>(model.pooling));
  std::vector<const SortMember*> all, learned;
  for (const SortMember& member : members) {
    if (member.recipe != recipe.name) continue;
    population.seeds.push_back(member.seed);
    all.push_back(&member);
    if (member.learned) learned.push_back(&member);
  }
  population.learned = static_cast<std::int64_t>(learned.size());
  const Interval share =
      clopper_pearson({population.learned, static_cast<std::int64_t>(all.size())});
  population.learned_low = share.low;
  population.learned_high = share.high;
  add_estimates(population, all, false);
  add_estimates(population, learned, true);
  return population;
}

}  // namespace heddle
