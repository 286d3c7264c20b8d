// Whether the data inside a page, from which its script prints numbers, is that of the results.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heddle/record/tree.hpp"

namespace heddle::report {

/// What does not fit, one line each. An object with a path ("from") must equal what stands there,
/// field by field; where that is a list, each of its own fields is a column of the list, or of the
/// entries that "at" names; a text instead of a list of numbers is its packed weights. A
/// number anywhere else comes from nowhere.
std::vector<std::string> check_embedded(std::string_view html, const Json& results);

}  // namespace heddle::report
