// What each head attends to in an addition: columns, carries and the plus, in numbers, each beside
// the value of a uniform head (docs/roles.md).
#pragma once

#include <span>

#include "heddle/base/parallel.hpp"
#include "heddle/lens/watch.hpp"
#include "heddle/model/member.hpp"
#include "heddle/record/attention.hpp"
#include "heddle/task/addition/problem.hpp"

namespace heddle {

/// Measures of every head over the greedy run on these problems, the roles that the rules give, and
/// report D's definitions. A measure that does not exist for a module, or that no row of these
/// problems has, is left out. Same bits for any team.
Specialisation specialise_columns(const Member& member, std::span<const Problem> problems,
                                  Team& team, const DecodeProgress& progress = {});

}  // namespace heddle
