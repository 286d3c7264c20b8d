// What the members of one sortedness recipe show together; the seed is the unit.
#pragma once

#include <span>

#include "heddle/record/sortedness_study.hpp"
#include "heddle/study/sortedness/recipes.hpp"

namespace heddle {

SortPopulation summarise_sorters(const SortednessRecipe& recipe,
                                 std::span<const SortMember> members);

/// The reports' numbers beside what these members give, with the cause.
std::vector<Reproduction> reproduce_sortedness_reports(std::span<const SortMember> members);

}  // namespace heddle
