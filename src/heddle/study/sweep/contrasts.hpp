// One setting at a time: members of a sweep that differ in nothing else, paired.
#pragma once

#include <string_view>
#include <vector>

#include "heddle/record/sweep.hpp"

namespace heddle {

/// Null where the member was not asked.
const SweepScore* find_score(const SweepMember& member, std::string_view measure);

/// Every pair of alternatives of every axis, on every measure that some pair of members has; see
/// summarise_sweep().
std::vector<SweepContrast> contrasts_of(const SweepStudy& study);

}  // namespace heddle
