// The populations of a sortedness study: what is trained, and why.
#pragma once

#include <string>
#include <vector>

#include "heddle/config/config.hpp"
#include "heddle/study/sortedness/scale.hpp"

namespace heddle {

struct SortRecipe {
  std::string name, group;  ///< group: required, recipe, contrast, other, reports, hand-built
  std::string description;
  Config config;
  std::int64_t seeds = 1;
  std::int64_t longest = 256;  ///< length up to which it is asked
};

/// All of them; `tuned` is the recipe under study.
std::vector<SortRecipe> sort_recipes(const Config& tuned, const SortScale& scale);

}  // namespace heddle
