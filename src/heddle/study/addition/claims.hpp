// The reports' claims as predicates: written down here, with their thresholds and rules, before any
// study is run; the records of the members decide.
#pragma once

#include <span>
#include <vector>

#include "heddle/record/addition_study.hpp"

namespace heddle {

/// Every claim with its findings and its verdict.
std::vector<Claim> judge_claims(std::span<const MemberRecord> members);

/// The reports' numbers beside the same quantities with the defect and without it.
std::vector<Reproduction> reproduce_reports(std::span<const MemberRecord> members);

}  // namespace heddle
