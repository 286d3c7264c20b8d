// What a member of a sortedness study is asked, and the record of it.
#pragma once

#include <vector>

#include "heddle/model/member.hpp"
#include "heddle/record/sortedness_study.hpp"
#include "heddle/record/training_log.hpp"
#include "heddle/study/sortedness/recipes.hpp"
#include "heddle/study/sortedness/scale.hpp"
#include "heddle/study/study.hpp"
#include "heddle/task/sortedness/sorted_sets.hpp"

namespace heddle {

/// Share of right answers at the training lengths from which on a member has learned its task.
inline constexpr double kLearnedBar = 0.99;
/// The kind's name in cells of the reports' own sets.
inline constexpr const char* kAsReported = "as-reported";

/// The sets that members of a recipe are asked.
std::vector<SetSpec> exam_sets(const SortednessRecipe& recipe, const SortednessScale& scale);

/// Asks the member all of them. `log` may be empty (a member that no training made).
SortMember examine_sorter(const SortednessRecipe& recipe, const Member& member,
                          const TrainingLog& log, const SortednessScale& scale,
                          const ExamRequest& request);

}  // namespace heddle
