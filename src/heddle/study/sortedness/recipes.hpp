// The recipes of a sortedness study: what is trained, and why.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/config/config.hpp"
#include "heddle/study/sortedness/scale.hpp"

namespace heddle {

/// Why a recipe is in the study.
enum class SortednessGroup : std::uint8_t {
  required,   ///< encodings and poolings of the reports, trained soundly
  recipe,     ///< the recipe under study
  contrast,   ///< the recipe with one ingredient changed
  other,      ///< the recipe with another encoding
  reports,    ///< as the reports trained
  hand_built  ///< weights written down
};
constexpr std::array<std::string_view, 6> names_of(SortednessGroup) {
  return {"required", "recipe", "contrast", "other", "reports", "hand-built"};
}

struct SortednessRecipe {
  std::string name;
  SortednessGroup group = SortednessGroup::required;
  std::string description;
  Config config;
  std::int64_t seeds = 1;
  std::int64_t longest = 256;  ///< length up to which it is asked
};

/// All of them; `tuned` is the recipe under study.
std::vector<SortednessRecipe> sortedness_recipes(const Config& tuned, const SortednessScale& scale);

/// Their names, for claims: "recipe", "recipe-mean", "sinusoidal-multi", "reported-learned",
/// "reported-d-learned".
std::string tuned_recipe();
std::string contrast_recipe(std::string_view changed);
std::string required_recipe(PositionKind position, PoolingSetting pooling);
std::string reported_recipe(PositionKind position);
std::string report_d_recipe(PositionKind position);

}  // namespace heddle
