// Every value of an enum that lists its names, so that tests pass over none.
#pragma once

#include <vector>

#include "heddle/base/names.hpp"

namespace heddle::testing {

template <Named Kind>
std::vector<Kind> all_of() {
  std::vector<Kind> kinds;
  for (std::size_t i = 0; i < names_of(Kind{}).size(); ++i) kinds.push_back(static_cast<Kind>(i));
  return kinds;
}

}  // namespace heddle::testing
