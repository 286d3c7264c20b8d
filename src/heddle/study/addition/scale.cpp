// See scale.hpp.
#include "heddle/study/addition/scale.hpp"

#include <algorithm>
#include <cmath>

namespace heddle {
namespace {

AdditionScale standard_addition() {
  return {.seeds = 8,
          .reported = 2,
          .reported_zero = 1,
          .corrected = 2,
          .reported_steps = 7850,
          .test = 20000,
          .reference = 2000,
          .ablation = 1000,
          .donors = 8,
          .pairs = 300,
          .choose = 300,
          .score = 1000,
          .random_orders = 3,
          .free_heads = 10000,
          .fine_tune_steps = 200,
          .scratch_seeds = 1,
          .scratch_steps = 2000,
          .specialise = 2000,
          .patch_pairs = 125,
          .probe_train = 1500,
          .probe_test = 1500,
          .snapshots = 20,
          .snapshot_problems = 200,
          .census = 0};
}

AdditionScale full_addition() {
  AdditionScale scale = standard_addition();
  scale.seeds = 32;
  scale.reported = 8;
  scale.reported_zero = 4;
  scale.corrected = 12;
  scale.ablation = 2000;
  scale.pairs = 500;
  scale.choose = 500;
  scale.free_heads = 20000;
  scale.scratch_seeds = 8;
  scale.patch_pairs = 250;
  scale.probe_train = scale.probe_test = 2000;
  scale.snapshot_problems = 250;
  scale.census = 1;
  return scale;
}

}  // namespace

AdditionScale AdditionScale::of(StudyPreset preset) {
  switch (preset) {
    case StudyPreset::quick:
      break;
    case StudyPreset::standard:
      return standard_addition();
    case StudyPreset::full:
      return full_addition();
  }
  return {};
}

AdditionScale for_comparison(AdditionScale scale) {
  for (std::int64_t AdditionScale::* size :
       {&AdditionScale::ablation, &AdditionScale::pairs, &AdditionScale::choose,
        &AdditionScale::score, &AdditionScale::patch_pairs, &AdditionScale::probe_train,
        &AdditionScale::probe_test, &AdditionScale::snapshots, &AdditionScale::snapshot_problems})
    scale.*size = (scale.*size + 1) / 2;
  constexpr std::int64_t kFifth = 5;
  scale.test = (scale.test + kFifth - 1) / kFifth;
  scale.free_heads = (scale.free_heads + kFifth - 1) / kFifth;
  scale.random_orders = std::min<std::int64_t>(scale.random_orders, 1);
  return scale;
}

std::vector<std::int64_t> log_spaced(std::int64_t last, std::int64_t count) {
  constexpr double kFirst = 10;
  std::vector<std::int64_t> steps;
  for (std::int64_t i = 0; i < count; ++i) {
    const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 1;
    const auto step = static_cast<std::int64_t>(
        std::llround(kFirst * std::pow(static_cast<double>(last) / kFirst, share)));
    if (step >= 1 && step <= last && (steps.empty() || step > steps.back())) steps.push_back(step);
  }
  return steps;
}

}  // namespace heddle
