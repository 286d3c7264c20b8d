// What the page's moving parts read: copies of parts of results.json, each with its path there
// ("from"), so that check_page() can hold every one of them against the results.
#pragma once

#include <string>

#include "heddle/report/addition/document.hpp"
#include "heddle/report/sortedness/document.hpp"

namespace heddle::report {

/// The weight of a masked cell among the embedded weights, which are ten-thousandths.
inline constexpr unsigned kMaskedWeight = 65535;
inline constexpr double kWeightUnit = 1e4;

/// The attention of one member, with what is known of its heads.
Widget attention_widget(const Source& source, const MemberRecord& member);
/// Every member's ways down to no heads, the shown member's first.
Widget pruning_widget(const AdditionSource& source);
/// Maps of an explanation whose values are weights between nothing and one.
Widget maps_widget(const SortSource& source, const SortExplanation& explanation);
/// Accuracy against length of every recipe and every kind of negatives.
Widget lengths_widget(const SortSource& source);

}  // namespace heddle::report
