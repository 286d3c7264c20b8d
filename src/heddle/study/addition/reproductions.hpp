// The reports' numbers on addition beside the same quantities with the defect and without it.
#pragma once

#include <span>
#include <vector>

#include "heddle/record/addition_study.hpp"

namespace heddle {

std::vector<Reproduction> reproduce_addition_reports(std::span<const MemberRecord> members);

}  // namespace heddle
