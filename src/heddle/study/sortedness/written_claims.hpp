// The reports' claims about sortedness, as they were written down before any study was run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "heddle/record/sortedness_study.hpp"

namespace heddle {

/// How members decide a claim.
enum class SortRule : std::uint8_t {
  argument,       ///< they do not: it is settled by argument
  shares,         ///< by the share of those for which the predicate holds, in each recipe
  counterexample  ///< one for which it does not hold is enough
};

/// Members that may be compared: all of the study.
using SortMembers = std::span<const SortMember>;

struct WrittenSortClaim {
  std::string_view id;
  std::string_view report;     ///< who says it
  std::string_view statement;  ///< what it says
  std::string_view predicate;  ///< what that means for one member, threshold included
  std::string_view evidence;   ///< section of the report that shows it
  SortRule rule = SortRule::shares;
  std::string_view argument = {};              ///< of SortRule::argument
  std::string_view quantity = {};              ///< what is measured, in words
  std::vector<std::string_view> decides = {};  ///< recipes; all there are for a counterexample
  std::vector<std::string_view> beside = {};   ///< recipes that are shown too
  /// Whether the predicate holds for this member; nothing where it cannot be asked. May be empty
  /// for what is settled by argument.
  std::function<std::optional<bool>(const SortMember&, SortMembers)> holds = {};
  std::function<std::optional<double>(const SortMember&, SortMembers)> measured = {};
};

std::vector<WrittenSortClaim> written_sort_claims();

/// The cell of that length and kind, twins before a coin's labels; on these values, or on whichever
/// were asked. Null if there is none.
const SortCell* cell_at(const SortMember& member, std::int64_t length, std::string_view kind,
                        std::string_view values);

}  // namespace heddle
