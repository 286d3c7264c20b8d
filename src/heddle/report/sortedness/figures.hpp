// The figures of the sortedness study. Each gives a whole SVG file, or nothing where the study has
// no data for it.
#pragma once

#include <string>

#include "heddle/report/sortedness/document.hpp"
#include "heddle/report/sortedness/view.hpp"

namespace heddle::report {

/// Accuracy against length: the recipe and the required encodings.
std::string extrapolation_curves(const SortednessStudy& study);
/// The same for every recipe with this pooling.
std::string extrapolation_of_pooling(const SortednessStudy& study, const std::string& pooling);
/// The same with a panel per kind of negatives, and the depth of dips.
std::string kinds_of_negatives(const SortednessStudy& study);
/// Every seed of the recipe: accuracy, sorted and unsorted sequences apart.
std::string recipe_seeds(const SortednessStudy& study);
/// The recipe beside variants that lack one ingredient.
std::string ingredients(const SortednessStudy& study);
/// The reports' recipes: accuracy and share called sorted.
std::string reports_cases(const SortednessStudy& study);
/// How many seeds of each recipe learned the task in range.
std::string learned_in_range(const SortSource& source);
/// Losses, accuracy and share called sorted against the training step.
std::string learning_curves(const SortednessStudy& study, const Populations& populations);

/// Predicted beside measured curves; the matrices.
std::string explanation_curves(const SortednessStudy& study, const SortExplanation& explanation);
std::string explanation_maps(const SortExplanation& explanation);
/// The file of an explanation's matrices: the reports' own name where there is one.
std::string maps_file(const SortExplanation& explanation);

}  // namespace heddle::report
