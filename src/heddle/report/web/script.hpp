// The parts of the page's script, in the order in which they stand there. Each part may use those
// before it; page_script() puts them into one scope.
#pragma once

#include <string_view>

namespace heddle::report {

/// Elements, printed numbers with their source, and the source beside the pointer.
std::string_view core_script();
/// Line charts: axes, lines with bands, a place that moves over their points.
std::string_view chart_script();
/// Maps of weights: cells that are chosen by pointer or keyboard.
std::string_view map_script();
/// The attention browser: model, module, head.
std::string_view attention_script();
/// The pruning curve with its slider.
std::string_view pruning_script();
/// The extrapolation curves with their switches.
std::string_view lengths_script();
/// The maps of a study, one at a time.
std::string_view maps_script();

}  // namespace heddle::report
