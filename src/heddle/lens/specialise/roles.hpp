// The label of a head, from written rules over its measures (docs/roles.md mirrors the table).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "heddle/record/attention.hpp"

namespace heddle {

/// What is compared with the threshold.
enum class RoleTest : std::uint8_t {
  excess_at_least,  ///< (value − uniform) / (1 − uniform): 0 for a uniform head, 1 for all of it
  value_at_least,
  value_at_most
};
std::string_view name_of(RoleTest test);

/// One line of the table. The rules of step 1 are tried first; among those that hold the largest
/// compared number names the head, of equals the one that is listed first. A later step is tried
/// only where no rule of an earlier one holds.
struct RoleRule {
  std::string_view role, measure;
  int step = 1;
  RoleTest test = RoleTest::excess_at_least;
  double threshold = 0;
};
std::span<const RoleRule> role_rules();
/// The same for tasks other than addition.
std::span<const RoleRule> word_role_rules();
/// The role of a head that no rule names.
inline constexpr std::string_view kMixedRole = "mixed";

/// (value − uniform) / (1 − uniform); 0 where a uniform head attends nowhere else.
double excess_over_uniform(const HeadMeasure& measure);

/// One role for every head, in the order in which the heads appear. Its score is the number that
/// was compared; of a mixed head the largest excess that missed its threshold.
std::vector<HeadRole> roles_of(std::span<const HeadMeasure> measures,
                               std::span<const RoleRule> rules = role_rules());

}  // namespace heddle
