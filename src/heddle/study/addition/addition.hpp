// The addition study: members of four recipes, looked at in every way that there is, and what the
// populations show together.
#pragma once

#include "heddle/study/addition/scale.hpp"
#include "heddle/study/plan.hpp"
#include "heddle/study/study.hpp"

namespace heddle {

using AdditionPlan = StudyPlan<AdditionScale>;

Study addition_study(const AdditionPlan& plan);

}  // namespace heddle
