// The reports' claims about sortedness, judged: the records of the members decide by the rules that
// stand in written_claims.cpp.
#pragma once

#include <span>
#include <vector>

#include "heddle/record/sortedness_study.hpp"

namespace heddle {

/// Every claim with its findings and its verdict, what argument settles first.
std::vector<Claim> judge_sort_claims(std::span<const SortMember> members);

}  // namespace heddle
