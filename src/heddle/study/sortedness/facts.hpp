// What claims ask of one member's record, alone or beside others of its seed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "heddle/config/kinds.hpp"
#include "heddle/record/sortedness_study.hpp"

namespace heddle {

inline constexpr std::int64_t kFarLength = 256, kNearLength = 16;
inline constexpr double kReaches = 0.90;  ///< accuracy that is called extrapolation
inline constexpr double kFails = 0.60;  ///< accuracy that is called failure; guessing has one half

/// Members that may be compared: all of the study.
using SortednessMembers = std::span<const SortMember>;

/// The cell of that length and kind, twins before a coin's labels; on these values, or on whichever
/// were asked. Null if there is none.
const SortCell* cell_at(const SortMember& member, std::int64_t length, NegativeKind kind,
                        ValueKind values);
/// The reports' benchmark: swaps at length 256.
const SortCell* benchmark_cell(const SortMember& member);

/// Accuracy on one-swap twins of that length.
std::optional<double> on_twins(const SortMember& member, std::int64_t length);
/// Accuracy on the benchmark, asked only of those that have learned something to extrapolate.
std::optional<double> extrapolated_accuracy(const SortMember& member, SortednessMembers);
/// Who solves the benchmark: does it know sorted from unsorted? Its accuracy on far twins.
std::optional<double> twins_if_solved(const SortMember& member);

/// Accuracy on the benchmark less that of the member of the same seed that pools by the mean.
std::optional<double> gain_over_mean(const SortMember& member, SortednessMembers all);
/// It extrapolates where the member of the same seed with the mean does not.
std::optional<bool> extrapolates_only_with_multi(const SortMember& member, SortednessMembers all);
/// It fails on far twins where the recipe with the same seed does not.
std::optional<bool> fails_only_with_mean(const SortMember& member, SortednessMembers all);

}  // namespace heddle
