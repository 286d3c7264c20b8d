// What the members of one recipe show together: the seed is the unit, heads are never averaged by
// their index.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heddle/record/addition_study.hpp"

namespace heddle {

/// `members` are those of one recipe.
Population summarise_population(std::string recipe, std::string description,
                                std::span<const MemberRecord> members);

}  // namespace heddle
