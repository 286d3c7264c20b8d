// A score as a table for people.
#pragma once

#include <string>

#include "heddle/config/config.hpp"
#include "heddle/record/score.hpp"

namespace heddle::cli {

/// Samples with Wilson's 95 % interval; a census has none.
std::string score_text(const Config& config, std::int64_t step, const AdditionScore& score);

}  // namespace heddle::cli
