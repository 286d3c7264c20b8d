// Small questions about a sortedness study that several figures and sections ask.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/record/sortedness_study.hpp"

namespace heddle::report {

using Populations = std::vector<const SortPopulation*>;

/// Which estimates a line, a column or a cell shows.
struct SortView {
  std::string kind, values;
  std::int64_t delta = 0;
  std::string measure = "accuracy";
  bool given_learned = false;

  bool shows(const SortEstimate& estimate) const;
  /// "adjacent, windowed values", "dip by 5, uniform values".
  std::string title() const;
};

/// The populations of one group ("required", "recipe", …), in the order of the study.
Populations group_of(const SortednessStudy& study, std::string_view group);
/// Those of one pooling, without the reports' and the hand-built ones, and without variants of the
/// recipe that have its encoding and pooling: they differ in something else.
Populations pooled_by(const SortednessStudy& study, std::string_view pooling);
/// Recipe first, then the required ones: what the opening picture shows.
Populations leading(const SortednessStudy& study);
/// Poolings of the populations in pooled_by(), in order of first appearance.
std::vector<std::string> poolings_of(const SortednessStudy& study);

/// The members of one recipe, in the order of the study.
std::vector<const SortMember*> members_of(const SortednessStudy& study, std::string_view recipe);

/// Views of accuracy that any of these populations has, one per kind × depth × values.
std::vector<SortView> views_of(const Populations& populations);
/// The same, of one kind of negatives only.
std::vector<SortView> views_of(const Populations& populations, std::string_view kind);
/// The view of this kind that most lengths and populations have: what is told where one must do.
SortView main_view(const Populations& populations, std::string_view kind);
/// The reports' own sets ("as-reported") where these populations were asked with them, else swaps.
SortView reports_view(const Populations& populations);
/// Negatives that headline numbers are about: "adjacent" where the study has it, else its first.
std::string main_kind(const SortednessStudy& study);

/// Lengths that the view has in any of these populations, rising.
std::vector<std::int64_t> lengths_of(const Populations& populations, const SortView& view);
/// The longest length, at most `most`, that all have who were measured so at all; 0: there is none.
std::int64_t common_length(const Populations& populations, const SortView& view, std::int64_t most);
/// Null where it was not measured.
const SortEstimate* find_estimate(const SortPopulation& population, const SortView& view,
                                  std::int64_t length);
/// The first estimate of that length: where a heading reads it from.
const SortEstimate* first_of_length(const Populations& populations, std::int64_t length);

/// An explanation by its id; null where the study has none.
const SortExplanation* find_explanation(const SortednessStudy& study, std::string_view id);

/// What reports printed against length: the curves of the explanation "reported" or, without one,
/// the reproductions of a quantity like "sinusoidal at 256, …".
std::vector<SortCurve> reported_curves(const SortednessStudy& study);

/// Where tables and sentences compare encodings, as far as they were measured: the longest length
/// of the reports.
inline constexpr std::int64_t kCompared = 256;

}  // namespace heddle::report
