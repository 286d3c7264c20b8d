// The recipes that the addition study compares.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/config/config.hpp"
#include "heddle/study/addition/scale.hpp"

namespace heddle {

enum class AdditionRecipe : std::uint8_t { tuned, corrected, reported, reported_zero };
constexpr std::array<std::string_view, 4> names_of(AdditionRecipe) {
  return {"tuned", "corrected", "reported", "reported-zero"};
}

/// A recipe with its members.
struct AdditionPopulation {
  AdditionRecipe recipe = AdditionRecipe::tuned;
  std::string description;
  Config config;           ///< its seed is the first one
  std::int64_t seeds = 0;  ///< members: seed, seed + 1, …
};

/// tuned: `tuned` as it is. reported: the reports' recipe with its defect (no BOS); reported-zero:
/// with the second one too (PAD = the digit 0); corrected: the same recipe with neither.
std::vector<AdditionPopulation> addition_populations(const Config& tuned,
                                                     const AdditionScale& scale);

}  // namespace heddle
