// The reports' claims about addition, as they were written down before any study was run.
#pragma once

#include <vector>

#include "heddle/record/addition_study.hpp"
#include "heddle/study/claims.hpp"

namespace heddle {

using AdditionClaim = WrittenClaim<MemberRecord>;
using AdditionMembers = AdditionClaim::Members;

/// All of them: the tuned recipe decides, the others are shown beside it.
std::vector<AdditionClaim> written_addition_claims();

/// Its parts: settled by argument; about single heads; about how carries are computed.
std::vector<AdditionClaim> claims_settled_by_argument();
std::vector<AdditionClaim> claims_about_heads();
std::vector<AdditionClaim> claims_about_the_circuit();

}  // namespace heddle
