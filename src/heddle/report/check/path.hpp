// Values in results.json, by the path that a report gives.
#pragma once

#include <string>

#include "heddle/record/tree.hpp"

namespace heddle::report {

/// What "members.0.test.loss" names, the whole for an empty path; null where there is none.
const Json* find_path(const Json& results, const std::string& path);

}  // namespace heddle::report
