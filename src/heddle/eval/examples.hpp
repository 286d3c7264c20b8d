// Scores of a member on examples of words: whole outputs, forced and greedy, or labels.
#pragma once

#include <functional>

#include "heddle/base/parallel.hpp"
#include "heddle/model/model.hpp"
#include "heddle/record/example_score.hpp"
#include "heddle/task/example_task.hpp"

namespace heddle {

/// Who is asked, and how.
struct ExampleExam {
  const Config& config;
  const ExampleTask& task;  ///< for its words
  const Model& model;
  const Weights& weights;  ///< packed
  Team& team;
  const Edits* edits = nullptr;
  std::function<void(Index done, Index total)> progress{};  ///< called between blocks, may throw
};

/// Blocks are as many whatever the team, and their sums are taken in order: same bits for any
/// number of threads.
ExampleScore score_examples(const ExampleExam& exam, std::string set, const ExampleList& list);

}  // namespace heddle
