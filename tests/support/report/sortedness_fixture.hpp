// A made-up sortedness study with every part filled: what reports are tried on.
#pragma once

#include "heddle/record/sortedness_study.hpp"

namespace heddle::testing {

/// Recipes of every group with `seeds` members each; the same numbers on every call.
SortednessStudy sortedness_fixture(int seeds = 3);

/// A study with one member of which almost nothing is known: empty lists, numbers that are none.
SortednessStudy bare_sortedness();

}  // namespace heddle::testing
