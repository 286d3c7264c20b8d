// A sweep: the members of every cell of a grid trained side by side, measured, and compared.
// Stopped at any point, it goes on where it was.
#pragma once

#include <string>

#include "heddle/config/sweep.hpp"
#include "heddle/study/addition/addition.hpp"

namespace heddle {

struct SweepPlan {
  SweepGrid grid;
  int threads = 1;
};

/// Runs the sweep in `folder` and leaves results.json and timings.json there; its members are
/// ordinary runs in members/CELL/seed-S. Every cell is checked before anything is trained:
/// UsageError names the first that cannot be. A member whose training diverges is a result, not an
/// error. A folder of another sweep is refused, one of a part of this sweep is taken on.
StudyOutcome run_sweep(const SweepPlan& plan, const std::string& folder,
                       const StudyObserver& observer);

}  // namespace heddle
