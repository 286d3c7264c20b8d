// The recipes that the addition study compares.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/config/config.hpp"
#include "heddle/study/addition/scale.hpp"

namespace heddle {

struct Recipe {
  std::string name;
  std::string description;
  Config config;           ///< its seed is the first one
  std::int64_t seeds = 0;  ///< members: seed, seed + 1, …
};

/// tuned: `tuned` as it is. reported: the reports' recipe with its defect (no BOS); reported-zero:
/// with the second one too (PAD = the digit 0); corrected: the same recipe with neither.
std::vector<Recipe> study_recipes(const Config& tuned, const StudyScale& scale);

}  // namespace heddle
