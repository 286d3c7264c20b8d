// The figures of a sweep. Each gives a whole SVG file, or nothing where there is no data for it.
#pragma once

#include <string>

#include "heddle/report/sweep/document.hpp"

namespace heddle::report {

/// Cells by their mean on the main measure, with intervals and every seed.
std::string sweep_cells(const SweepSource& source);
/// Differences between alternatives on the main measure, all else equal.
std::string sweep_contrasts(const SweepSource& source);
/// Validation accuracy and training loss against step, a line per cell.
std::string sweep_curves(const SweepStudy& study);

}  // namespace heddle::report
