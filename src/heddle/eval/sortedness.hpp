// Scores a classifier of sequences on the sets of the benchmark, at any length.
#pragma once

#include <vector>

#include "heddle/eval/blocks.hpp"
#include "heddle/eval/sort_score.hpp"
#include "heddle/record/sortedness.hpp"
#include "heddle/task/sortedness/sorted_sets.hpp"

namespace heddle {

/// margin = logit of "sorted" − logit of "not", one per sequence. A margin does not depend on which
/// other sequences are asked (where places are randomised: on its number among them).
std::vector<double> margins_of(const ExamSetup& setup, const Exam& exam);

/// One cell of an evaluation; `config` for what such a model can score at most.
SortCell score_set(const ExamSetup& setup, const Config& config, const SetSpec& spec,
                   double threshold);

/// Answers are taken at the threshold that training leaves the model with: margin 0, at every
/// length. A threshold fitted to answers at the training lengths would gain a few of them and lose
/// far more where margins shrink with length.
inline constexpr double kTrainedThreshold = 0;

/// The most that such a model can score on this set; kNoCeiling where nothing is known.
double ceiling_for(const Config& config, const SetSpec& spec);

}  // namespace heddle
