// Any task's score in the form that a run keeps and its report tells.
#pragma once

#include <span>

#include "heddle/record/run_score.hpp"
#include "heddle/record/score.hpp"
#include "heddle/record/sortedness.hpp"
#include "heddle/record/training_log.hpp"

namespace heddle {

RunScore run_score(const Score& score, std::span<const Warning> warnings);
/// Of sortedness: lengths up to `trained` stand together, longer ones apart.
RunScore run_score(std::span<const SortCell> cells, std::int64_t trained);

}  // namespace heddle
