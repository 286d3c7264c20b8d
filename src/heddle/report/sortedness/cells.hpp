// Cells and headings of tables that several sections of the sortedness report have.
#pragma once

#include "heddle/report/sortedness/document.hpp"
#include "heddle/report/sortedness/view.hpp"

namespace heddle::report {

/// A length, read from where one of these populations has it.
Text length_head(const SortSource& source, const Populations& populations, std::int64_t length);
/// "adjacent, windowed", "dip by 5, uniform".
Text kind_head(const SortSource& source, const Populations& populations, const SortView& view);
/// "99.8 % (97.5 %)"; a dash where it was not measured.
Text median_and_worst(const SortSource& source, const SortEstimate* estimate);
/// "99.8 % [99.1 %, 100.0 %]"; a dash where it was not measured.
Text median_and_interval(const SortSource& source, const SortEstimate* estimate);
/// "3 of 8".
Text learned_of(const SortSource& source, const SortPopulation& population);

}  // namespace heddle::report
