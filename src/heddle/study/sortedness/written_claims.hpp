// The reports' claims about sortedness, as they were written down before any study was run.
#pragma once

#include <vector>

#include "heddle/record/sortedness_study.hpp"
#include "heddle/study/claims.hpp"

namespace heddle {

using SortednessClaim = WrittenClaim<SortMember>;

/// All of them.
std::vector<SortednessClaim> written_sortedness_claims();
/// Those that argument settles.
std::vector<SortednessClaim> sortedness_claims_settled_by_argument();

}  // namespace heddle
