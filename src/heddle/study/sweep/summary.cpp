// See summary.hpp.
#include "heddle/study/sweep/summary.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "heddle/base/fields.hpp"
#include "heddle/lens/stats/stats.hpp"
#include "heddle/study/sweep/contrasts.hpp"

namespace heddle {
namespace {

/// Names in the order in which they first appear.
std::vector<std::string> measures_of(const SweepStudy& study) {
  std::vector<std::string> names;
  for (const SweepMember& member : study.members)
    for (const SweepScore& score : member.scores)
      if (std::ranges::find(names, score.measure) == names.end()) names.push_back(score.measure);
  return names;
}

/// Of the measures that every member has: the first that somebody answers better than by guessing.
/// One that nobody has learned would rank the cells by noise.
std::string main_of(const SweepStudy& study) {
  std::string first = study.measures.empty() ? "" : study.measures.front();
  bool found = false;
  for (const std::string& name : study.measures) {
    bool everyone = true, learned = false;
    for (const SweepMember& member : study.members) {
      const SweepScore* score = find_score(member, name);
      everyone = everyone && (score != nullptr || !member.failure.empty());
      learned = learned || (score != nullptr && (score->chance < 0 || score->above_chance));
    }
    if (everyone && learned) return name;
    if (everyone && !found) {
      first = name;
      found = true;
    }
  }
  return first;
}

SweepEstimate estimate_of(const std::string& measure,
                          const std::vector<const SweepMember*>& members) {
  std::vector<double> values;
  SweepEstimate estimate{.measure = measure, .over = IntervalOver::seeds};
  const SweepScore* first = nullptr;
  for (const SweepMember* member : members) {
    const SweepScore* score = find_score(*member, measure);
    if (score == nullptr) continue;
    if (first == nullptr) first = score;
    if (values.empty() || score->value < estimate.worst) {
      estimate.worst = score->value;
      estimate.worst_seed = member->seed;
    }
    estimate.best = std::max(estimate.best, score->value);
    estimate.above_chance += score->above_chance ? 1 : 0;
    estimate.complete += score->correct == score->total ? 1 : 0;
    values.push_back(score->value);
  }
  estimate.seeds = static_cast<std::int64_t>(values.size());
  if (first == nullptr) return estimate;
  estimate.chance = first->chance;
  estimate.mean = mean_of(values);
  if (estimate.best == estimate.worst) {
    estimate.mean = first->value;  // a sum of equals may be off by a bit
    estimate.over = IntervalOver::problems;
    estimate.low = first->low;
    estimate.high = first->high;
    return estimate;
  }
  const Interval interval = t_interval(values);
  estimate.low = std::max(0.0, interval.low);
  estimate.high = std::min(1.0, interval.high);
  return estimate;
}

void summarise_cell(SweepCellRecord& cell, const SweepStudy& study) {
  std::vector<const SweepMember*> members;
  for (const SweepMember& member : study.members)
    if (member.cell == cell.name) members.push_back(&member);
  cell.seeds = static_cast<std::int64_t>(members.size());
  cell.failed = std::ranges::count_if(
      members, [](const SweepMember* member) { return !member->failure.empty(); });
  cell.estimates.clear();
  for (const std::string& measure : study.measures) {
    SweepEstimate estimate = estimate_of(measure, members);
    if (estimate.seeds > 0) cell.estimates.push_back(std::move(estimate));
  }
}

}  // namespace

SweepScore score_of(const Measure& measure) {
  const Count count{.correct = measure.correct, .total = measure.total};
  const Interval interval = wilson(count);
  return {.measure = measure.name,
          .correct = measure.correct,
          .total = measure.total,
          .value = count.share(),
          .low = interval.low,
          .high = interval.high,
          .chance = measure.chance,
          .above_chance = measure.chance >= 0 && interval.low > measure.chance};
}

void summarise_sweep(SweepStudy& study) {
  study.measures = measures_of(study);
  study.main = main_of(study);
  for (SweepCellRecord& cell : study.cells) summarise_cell(cell, study);
  study.contrasts = contrasts_of(study);
}

}  // namespace heddle
