// The sortedness study: members of many recipes, asked at every length and kind, and what the
// populations show together.
#pragma once

#include "heddle/study/plan.hpp"
#include "heddle/study/sortedness/scale.hpp"
#include "heddle/study/study.hpp"

namespace heddle {

using SortednessPlan = StudyPlan<SortednessScale>;

Study sortedness_study(const SortednessPlan& plan);

}  // namespace heddle
