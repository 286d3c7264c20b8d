// A score as people and programs read it.
#pragma once

#include <string>

#include "heddle/base/json.hpp"
#include "heddle/model/member.hpp"
#include "heddle/record/score.hpp"
#include "heddle/task/task.hpp"

namespace heddle::cli {

/// What `eval --json` says of a score: every count, whole ones with their 95 % interval (a census
/// has no sampling error); a facet of which nothing was known is null.
Json json_of(const Score& score);

/// A table of all counts, with the first mistakes.
std::string score_text(const Score& score, const Task& task);

/// Whose score it is: the task, the seed and the step of the weights (0: no training made them).
std::string score_heading(const Score& score, const Task& task, const Config& config,
                          std::int64_t step);

}  // namespace heddle::cli
