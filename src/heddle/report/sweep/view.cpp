// See view.hpp.
#include "heddle/report/sweep/view.hpp"

#include <algorithm>
#include <limits>

namespace heddle::report {

const SweepEstimate* find_estimate(const SweepCellRecord& cell, std::string_view measure) {
  const auto found = std::ranges::find(cell.estimates, measure, &SweepEstimate::measure);
  return found == cell.estimates.end() ? nullptr : &*found;
}

const SweepScore* find_score(const SweepMember& member, std::string_view measure) {
  const auto found = std::ranges::find(member.scores, measure, &SweepScore::measure);
  return found == member.scores.end() ? nullptr : &*found;
}

std::vector<const SweepCellRecord*> ranked_cells(const SweepStudy& study) {
  std::vector<const SweepCellRecord*> cells;
  for (const SweepCellRecord& cell : study.cells) cells.push_back(&cell);
  std::ranges::stable_sort(cells, std::ranges::greater{}, [&](const SweepCellRecord* cell) {
    const SweepEstimate* estimate = find_estimate(*cell, study.main);
    return estimate == nullptr ? -std::numeric_limits<double>::infinity() : estimate->mean;
  });
  return cells;
}

std::vector<const SweepMember*> members_of(const SweepStudy& study, const SweepCellRecord& cell) {
  std::vector<const SweepMember*> members;
  for (const SweepMember& member : study.members)
    if (member.cell == cell.name) members.push_back(&member);
  return members;
}

std::vector<const SweepContrast*> contrasts_of(const SweepStudy& study, std::string_view setting,
                                               std::string_view measure) {
  std::vector<const SweepContrast*> found;
  for (const SweepContrast& contrast : study.contrasts)
    if (contrast.setting == setting && contrast.measure == measure) found.push_back(&contrast);
  std::ranges::stable_sort(found, std::ranges::greater{},
                           [](const SweepContrast* contrast) { return contrast->difference; });
  return found;
}

std::vector<const SweepContrast*> contrasts_with_best(const SweepStudy& study,
                                                      std::string_view setting) {
  std::vector<const SweepContrast*> all = contrasts_of(study, setting, study.main);
  if (all.empty()) return all;
  const std::string& best = all.front()->better;  // it has the largest lead of all
  const bool ever_behind = std::ranges::any_of(
      all, [&](const SweepContrast* contrast) { return contrast->other == best; });
  if (ever_behind) return {};
  std::erase_if(all, [&](const SweepContrast* contrast) { return contrast->better != best; });
  std::ranges::reverse(all);
  return all;
}

double chance_of(const SweepStudy& study, std::string_view measure) {
  for (const SweepCellRecord& cell : study.cells)
    if (const SweepEstimate* estimate = find_estimate(cell, measure)) return estimate->chance;
  return -1;
}

}  // namespace heddle::report
