// How large an addition study is: seeds of each recipe, and how many problems each analysis takes.
#pragma once

#include <cstdint>
#include <vector>

#include "heddle/record/addition_study.hpp"
#include "heddle/study/scale.hpp"

namespace heddle {

struct AdditionScale {
  std::int64_t seeds = 2;                                       ///< members of the tuned recipe
  std::int64_t reported = 1, reported_zero = 1, corrected = 1;  ///< of the reports' recipe
  std::int64_t reported_steps = 1200;  ///< training of those (the reports': 7,850)
  std::int64_t test = 4000;            ///< unseen problems that score a member
  std::int64_t reference = 1000;       ///< problems that means and donors come from
  std::int64_t ablation = 400, donors = 8, pairs = 120;
  std::int64_t choose = 150, score = 500, random_orders = 2;  ///< pruning
  std::int64_t free_heads = 3000;  ///< problems on which heads must go without an error
  std::int64_t fine_tune_steps = 100, scratch_seeds = 1, scratch_steps = 300;
  std::int64_t specialise = 500;
  std::int64_t patch_pairs = 64;
  std::int64_t probe_train = 1000, probe_test = 1000;
  std::int64_t snapshots = 10, snapshot_problems = 150;
  std::int64_t census = 0;  ///< 1: the best cut model answers every pair there is

  static void fields(auto& self, auto&& field) {
    field("seeds", self.seeds);
    field("reported", self.reported);
    field("reported_zero", self.reported_zero);
    field("corrected", self.corrected);
    field("reported_steps", self.reported_steps);
    field("test", self.test);
    field("reference", self.reference);
    field("ablation", self.ablation);
    field("donors", self.donors);
    field("pairs", self.pairs);
    field("choose", self.choose);
    field("score", self.score);
    field("random_orders", self.random_orders);
    field("free_heads", self.free_heads);
    field("fine_tune_steps", self.fine_tune_steps);
    field("scratch_seeds", self.scratch_seeds);
    field("scratch_steps", self.scratch_steps);
    field("specialise", self.specialise);
    field("patch_pairs", self.patch_pairs);
    field("probe_train", self.probe_train);
    field("probe_test", self.probe_test);
    field("snapshots", self.snapshots);
    field("snapshot_problems", self.snapshot_problems);
    field("census", self.census);
  }
  static AdditionScale of(StudyPreset preset);
};

/// The same with smaller samples, for the recipes that are only compared with.
AdditionScale for_comparison(AdditionScale scale);

/// About `count` steps from 10 to `last`, evenly spaced on a log axis, each once.
std::vector<std::int64_t> log_spaced(std::int64_t last, std::int64_t count);

}  // namespace heddle
