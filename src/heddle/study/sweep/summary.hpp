// What the members of a sweep show together: cells over seeds, and settings with all else equal.
#pragma once

#include "heddle/record/sweep.hpp"

namespace heddle {

/// A measure with its interval over problems.
SweepScore score_of(const Measure& measure);

/// Fills in what follows from `axes`, `cells` (names and values) and `members`: the measures and
/// the main one of them (the first that every member has and that somebody answers better than by
/// guessing), the cells' estimates, the contrasts.
///
/// The seed is the unit. A cell's interval is Student's over its seeds. A contrast pairs members
/// that differ in one setting only, averages their differences within each seed, and has Student's
/// interval and test over the seeds. Where there is one seed, or all seeds agree to the last
/// digit, seeds say nothing about spread, and the interval is over the problems of one seed
/// (Wilson; for a difference Newcombe's of two independent shares).
void summarise_sweep(SweepStudy& study);

}  // namespace heddle
