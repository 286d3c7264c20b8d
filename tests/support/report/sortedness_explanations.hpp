// Made-up explanations for a made-up sortedness study.
#pragma once

#include "heddle/record/sortedness_study.hpp"

namespace heddle::testing {

/// Curves of every kind, matrices small and large, and what the reports said.
void add_explanations(SortednessStudy& study);

}  // namespace heddle::testing
