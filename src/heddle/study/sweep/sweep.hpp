// A sweep: a study whose members are those of every cell of a grid, measured and compared.
#pragma once

#include "heddle/config/sweep.hpp"
#include "heddle/study/study.hpp"

namespace heddle {

/// Every cell is checked before anything is trained: UsageError names the first that cannot be. A
/// member whose training diverges is a result, not an error. A folder of another sweep is refused,
/// one of a part of this sweep is taken on.
Study sweep_study(const SweepGrid& grid);
/// The same for a grid that was checked before, as SWEEP/sweep.json holds it.
Study known_sweep_study(const SweepGrid& grid);

}  // namespace heddle
