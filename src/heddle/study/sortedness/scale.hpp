// How large a sortedness study is: seeds of each group, how long they train, how many sequences
// each cell takes.
#pragma once

#include <cstdint>

#include "heddle/study/scale.hpp"

namespace heddle {

struct SortednessScale {
  std::int64_t seeds = 2;                            ///< of the recipe
  std::int64_t required = 1;                         ///< of each required encoding × pooling
  std::int64_t contrasts = 1;                        ///< of each variant of the recipe
  std::int64_t variants = 4;                         ///< how many of those variants
  std::int64_t others = 0;                           ///< of each further encoding
  std::int64_t reported = 1;                         ///< of each of the reports' cases
  std::int64_t d_model = 64, layers = 2;             ///< of all but the cells below
  std::int64_t steps = 2800, required_steps = 1200;  ///< of the recipe; of the required cells
  std::int64_t required_layers = 2;                  ///< of the required cells
  std::int64_t reported_steps = 400, reported_d_model = 64;
  std::int64_t count = 400;         ///< sequences a cell up to 256
  std::int64_t recipe_count = 400;  ///< the same for the recipe's members
  std::int64_t far_count = 20;      ///< … beyond
  std::int64_t longest = 1024;      ///< of the recipe's cells
  std::int64_t explain_pairs = 20;

  static void fields(auto& self, auto&& field) {
    field("seeds", self.seeds);
    field("required", self.required);
    field("contrasts", self.contrasts);
    field("variants", self.variants);
    field("others", self.others);
    field("reported", self.reported);
    field("d_model", self.d_model);
    field("layers", self.layers);
    field("steps", self.steps);
    field("required_steps", self.required_steps);
    field("required_layers", self.required_layers);
    field("reported_steps", self.reported_steps);
    field("reported_d_model", self.reported_d_model);
    field("count", self.count);
    field("recipe_count", self.recipe_count);
    field("far_count", self.far_count);
    field("longest", self.longest);
    field("explain_pairs", self.explain_pairs);
  }
  static SortednessScale of(StudyPreset preset);
};

}  // namespace heddle
