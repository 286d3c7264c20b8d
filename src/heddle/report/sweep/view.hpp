// Small questions about a sweep that its tables, figures and sentences ask.
#pragma once

#include <string_view>
#include <vector>

#include "heddle/record/sweep.hpp"

namespace heddle::report {

/// A cell's estimate of a measure; null where it has none.
const SweepEstimate* find_estimate(const SweepCellRecord& cell, std::string_view measure);
/// A member's score of a measure; null where it has none.
const SweepScore* find_score(const SweepMember& member, std::string_view measure);

/// The cells by their mean on the main measure, highest first; those without one come last.
std::vector<const SweepCellRecord*> ranked_cells(const SweepStudy& study);

/// The members of a cell, in the order of the study.
std::vector<const SweepMember*> members_of(const SweepStudy& study, const SweepCellRecord& cell);

/// The contrasts of one setting on one measure, largest difference first.
std::vector<const SweepContrast*> contrasts_of(const SweepStudy& study, std::string_view setting,
                                               std::string_view measure);

/// Those in which the best alternative of a setting (it is never the other) stands against each of
/// the rest, nearest first; empty where there is no such alternative.
std::vector<const SweepContrast*> contrasts_with_best(const SweepStudy& study,
                                                      std::string_view setting);

/// How guessing does on a measure; −1 where nobody knows.
double chance_of(const SweepStudy& study, std::string_view measure);

}  // namespace heddle::report
