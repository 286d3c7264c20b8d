// What the members of one recipe show together: the seed is the unit, heads are never averaged by
// their index.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heddle/record/addition_study.hpp"
#include "heddle/study/addition/recipes.hpp"

namespace heddle {

/// `members` are those of one recipe.
Population summarise_adders(const AdditionPopulation& asked, std::span<const MemberRecord> members);

}  // namespace heddle
