// Scores an adder: teacher-forced and greedy always together, from one encoding of each problem.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "heddle/base/parallel.hpp"
#include "heddle/model/member.hpp"
#include "heddle/record/score.hpp"
#include "heddle/task/addition/census.hpp"
#include "heddle/task/addition/problem.hpp"

namespace heddle {

/// Who is asked, and how.
struct AdditionExam {
  const Config& config;
  const Seq2Seq& model;
  const Weights& weights;  ///< packed
  Team& team;
  const Edits* edits = nullptr;
  const SeenPairs* seen = nullptr;                        ///< tells seen from unseen pairs
  std::function<void(Index done, Index total)> progress;  ///< called between blocks, may throw
};

/// The score on these problems.
AdditionScore score_problems(const AdditionExam& exam, std::string set,
                             std::span<const Problem> problems);
/// The score on every pair there is (three digits at most).
AdditionScore score_census(const AdditionExam& exam);

}  // namespace heddle
