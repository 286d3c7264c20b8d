// See scale.hpp.
#include "heddle/study/sortedness/scale.hpp"

namespace heddle {
namespace {

SortednessScale standard_sortedness() {
  return {.seeds = 5,
          .required = 3,
          .contrasts = 2,
          .variants = 10,
          .others = 0,
          .reported = 1,
          .d_model = 64,
          .layers = 2,
          .steps = 4000,
          .required_steps = 2500,
          .required_layers = 2,
          .reported_steps = 1570,
          .reported_d_model = 128,
          .count = 1000,
          .recipe_count = 1000,
          .far_count = 40,
          .longest = 4096,
          .explain_pairs = 40};
}

SortednessScale full_sortedness() {
  SortednessScale scale = standard_sortedness();
  scale.seeds = 10;
  scale.required = 6;  // with five, no claim can be decided: 0 of 5 leaves up to 52 %
  scale.contrasts = 6;
  scale.others = 5;
  scale.reported = 3;
  scale.steps = 10000;
  scale.required_steps = 6000;
  scale.required_layers = 4;
  scale.reported_steps = 3140;
  scale.count = 1000;
  scale.recipe_count = 4000;
  scale.far_count = 400;
  scale.explain_pairs = 100;
  return scale;
}

}  // namespace

SortednessScale SortednessScale::of(StudyPreset preset) {
  switch (preset) {
    case StudyPreset::quick:
      break;
    case StudyPreset::standard:
      return standard_sortedness();
    case StudyPreset::full:
      return full_sortedness();
  }
  return {};
}

}  // namespace heddle
