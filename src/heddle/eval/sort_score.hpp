// How good the answers to a set of sequences are: arithmetic on margins and labels, no model.
#pragma once

#include <cstdint>
#include <span>

#include "heddle/eval/interval.hpp"
#include "heddle/record/score.hpp"
#include "heddle/record/sortedness.hpp"
#include "heddle/task/sortedness/sorted_sets.hpp"

namespace heddle {

/// One answer per sequence: margin = logit of "sorted" − logit of "not"; label 1 = sorted. Called
/// sorted is what lies above the threshold, so at threshold 0 equal logits mean "not".
struct SortAnswers {
  std::span<const double> margins;
  std::span<const std::int32_t> labels;
};

struct SortScoring {
  double threshold = 0;
  bool twins = false;  ///< answers 2i and 2i + 1 are a sorted sequence and its twin
};

struct SortScore {
  Count all;
  Interval interval;           ///< Wilson's, of `all`
  Count positives, negatives;  ///< right ones of the sorted and of the others: tpr and tnr
  double auroc = 0.5;
  double predicted_positive = 0;  ///< share
  /// At least 99 % got one answer. Says something on balanced sets only.
  bool constant = false;
  double threshold = 0;
  Count pairs;                   ///< both twins right; of none where there are no twins
  double smallest_positive = 0;  ///< smallest margin of a sorted sequence; 0 where there is none
  double largest_negative = 0;   ///< largest margin of an unsorted one; 0 where there is none
};

/// ShapeError for margins and labels of different number, Error for a margin that is no number or
/// twins whose labels do not alternate 1, 0.
SortScore score_sorted(const SortAnswers& answers, const SortScoring& scoring = {});

/// The chance that a sorted sequence has a larger margin than an unsorted one, equal margins
/// counting half; ½ where one side is missing. By ranks: n log n.
double auroc_of(const SortAnswers& answers);

/// The threshold with the most right answers. 0 where 0 is one of the best; otherwise midway
/// between the two margins that it parts, of the best the nearest to 0.
double frozen_threshold(const SortAnswers& answers);

/// The record of a scored set; `ceiling` −1 where none is known.
SortCell cell_of(const SetSpec& spec, const SortScore& score, const SequenceMakeup& makeup,
                 double ceiling = -1);

}  // namespace heddle
