// The reports' claims, as they were written down before any study was run.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "heddle/record/addition_study.hpp"

namespace heddle {

struct WrittenClaim {
  std::string_view id;
  std::string_view report;     ///< who says it
  std::string_view statement;  ///< what it says
  std::string_view predicate;  ///< what that means for one member, threshold included
  std::string_view evidence;   ///< section of the report that shows it
  /// Refutes the claim without counting; empty for a claim that members decide.
  std::string_view argument;
  std::string_view quantity;  ///< what is measured, in words
  /// Whether the predicate holds for this member; nothing where it cannot be asked.
  std::function<std::optional<bool>(const MemberRecord&)> holds;
  std::function<std::optional<double>(const MemberRecord&)> measured;
};

std::vector<WrittenClaim> written_claims();

}  // namespace heddle
