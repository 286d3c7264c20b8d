// Whether the words of an addition study's reproductions are what its members show.
#pragma once

#include <string>
#include <vector>

#include "heddle/record/tree.hpp"

namespace heddle::report {

/// "41.63 % (median of 2)" must be the median of some recipe's two members, greedy or
/// teacher-forced, rounded as every number is. What does not fit, one line each.
std::vector<std::string> check_reproductions(const Json& results);

}  // namespace heddle::report
