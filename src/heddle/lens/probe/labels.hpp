// Linear probes for labels that the user gives to inputs of any task: where can they be read off?
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/record/lenses.hpp"

namespace heddle {

/// An input with its label; `answer` is its right answer, empty where the task works it out.
struct LabelledInput {
  Index line = 0;  ///< where it stands in its file
  std::string input, label, answer;
};
struct LabelledInputs {
  std::string path;
  std::vector<LabelledInput> inputs;
};
/// Columns input, label and, where it is there, answer. FileError with the line.
LabelledInputs read_labels(const std::string& path);

/// Called as places are done; may throw.
using LabelProgress = std::function<void(Index done, Index total)>;

/// At every point of the residual stream, at each position that all inputs have and at the mean
/// over an input's positions: a ridge regression (see Ridge) for each label against the others, the
/// largest score wins. Inputs fall into five folds (the inputs of each label in the order of a
/// hash, in turn; equal inputs share a fold), and each is scored by the probe that was fitted on
/// the other four. Accuracy is the mean over the K labels of the share r that is found; its
/// interval is Wilson's for n = K² / Σ 1/n_label inputs, which has the same variance where all r
/// are equal. The control does the same with labels in a random order, the mean of five of them.
///
/// A decoder reads the right answer. FileError with the line for what is no input of the task or
/// has an answer that is not known (a classifier needs none), and where there are fewer than two
/// labels, or fewer than two different inputs of a label.
LabelProbing probe_labels(const Member& member, const Task& task, const LabelledInputs& labelled,
                          Team& team, const LabelProgress& progress = {});

}  // namespace heddle
