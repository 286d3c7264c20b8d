// A sweep whose members are made up: numbers in, what follows from them out.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "heddle/record/sweep.hpp"

namespace heddle::testing {

struct MadeUp {
  std::vector<std::pair<std::string, std::vector<std::string>>> axes;
  /// Of 1,000 on the measure "far": a row per cell, the last axis fastest; a column per seed. −1:
  /// the training diverged. On "near" everyone has half of what is missing.
  std::vector<std::vector<int>> right;
  double chance = 0.5;
  std::vector<std::size_t> lacks_far = {};  ///< cells that are not asked it
};
SweepStudy made_up_sweep(const MadeUp& made);

/// Three encodings, two poolings, `seeds` seeds, with learning curves, a defect and a diverged
/// member: everything that a report can show.
SweepStudy sweep_fixture(std::size_t seeds = 3);

}  // namespace heddle::testing
