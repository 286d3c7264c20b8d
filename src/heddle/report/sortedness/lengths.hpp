// Panels of accuracy against length, as several figures of the sortedness study draw them.
#pragma once

#include <string>
#include <vector>

#include "heddle/report/document/lines.hpp"
#include "heddle/report/sortedness/view.hpp"

namespace heddle::report {

/// How the i-th line of a figure looks: six colours, then the same dashed.
LineStyle style_of(std::size_t i, const std::string& label);

/// A length axis with the training range shaded.
LinePanel length_panel(const SortednessStudy& study, const std::string& title,
                       const std::string& y_label);

/// Medians with bands, and ceilings where they are known, of these populations; a null one leaves
/// its colour to another panel.
LinePanel accuracy_panel(const SortednessStudy& study, const Populations& populations,
                         const SortView& view);

/// What reports said, faint.
void add_reported(const SortednessStudy& study, LinePanel& panel);

/// A line per population, then the ceiling and the reports where the panels have them.
std::vector<LegendEntry> length_legend(const Populations& populations,
                                       const std::vector<LinePanel>& panels);

/// The sentence under these figures.
std::string length_caption(const std::vector<LinePanel>& panels);

}  // namespace heddle::report
