// An imported model against the program that trained it: the same tokens, the same logits.
#pragma once

#include "heddle/config/config.hpp"
#include "heddle/model/import/tokens.hpp"
#include "heddle/model/model.hpp"
#include "heddle/tensor/foreign.hpp"

namespace heddle {

/// What their model read and what it put out, in our tokens.
struct Reference {
  Index rows = 0, source_length = 0, target_length = 0;  ///< target: 0 for a classifier
  std::vector<std::int32_t> source, target;
  Tensor logits;    ///< theirs, in double and in their order: [rows, (target,) any]
  double unit = 0;  ///< the largest relative error of one rounding, on either side
};

/// Reads "source" [n, S], "target" [n, T] (not for a classifier) and "logits" [n, T, V] or
/// [n, classes], numbered as they do. FileError for anything else in the file.
Reference read_reference(const ForeignFile& file, const Config& config, const TokenIds& ids,
                         const WeightLayout& layout);

/// Our logits for the same rows; weights may be in float or in double.
Tensor reference_logits(const Model& model, const Weights& weights, const Config& config,
                        const Reference& reference, const Edits* edits = nullptr);

struct Comparison {
  double largest_difference = 0;  ///< NaN where one of the two is
  double largest_logit = 0;       ///< of theirs
  double depth = 0;               ///< terms of all sums that a number passes in a row, both sides
  double unit = 0;
  Index same_answer = 0, answers = 0;  ///< rows and positions with the same largest logit

  /// Both sides compute the same formulas with sums in another order. A sum of n terms is wrong by
  /// up to n u of its size, so along the longest chain of sums rounding explains
  /// depth · u of the largest logit.
  double tolerance() const { return depth * unit * largest_logit; }
  bool equal() const { return largest_difference <= tolerance(); }
};

/// Holds our logits against theirs, token by token of ours that they have.
Comparison compare_logits(const Tensor& ours, const Reference& reference, const Config& config,
                          const TokenIds& ids);

}  // namespace heddle
