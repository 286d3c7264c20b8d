// Scores a classifier of sequences: on a list of them, and on the sets of the benchmark at any
// length.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/eval/sort_score.hpp"
#include "heddle/model/member.hpp"
#include "heddle/record/sequence_score.hpp"
#include "heddle/record/sortedness.hpp"
#include "heddle/task/sortedness/sorted_sets.hpp"

namespace heddle {

/// Who is asked, and how.
struct SortednessExam {
  const Config& config;
  const Classifier& model;
  const Weights& weights;  ///< packed
  Team& team;
  const Edits* edits = nullptr;
  std::function<void(Index done, Index total)> progress = {};  ///< sequences; may throw
};

/// margin = logit of "sorted" − logit of "not", one per sequence. A margin does not depend on which
/// other sequences are asked (where places are randomised: on its number among them).
std::vector<double> margins_of(const SortednessExam& exam,
                               std::span<const LabelledSequence> sequences);
std::vector<double> margins_of(const SortednessExam& exam, const SortedSet& set);

/// The answers at threshold 0, and the mean loss.
SequenceScore score_sequences(const SortednessExam& exam,
                              std::span<const LabelledSequence> sequences);

/// One cell of an evaluation.
SortCell score_set(const SortednessExam& exam, const SetSpec& spec, double threshold);

/// Answers are taken at the threshold that training leaves the model with: margin 0, at every
/// length. A threshold fitted to answers at the training lengths would gain a few of them and lose
/// far more where margins shrink with length.
inline constexpr double kTrainedThreshold = 0;

/// The most that such a model can score on this set; kNoCeiling where nothing is known.
double ceiling_for(const Config& config, const SetSpec& spec);

}  // namespace heddle
