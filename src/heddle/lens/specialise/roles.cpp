// See roles.hpp.
#include "heddle/lens/specialise/roles.hpp"

#include <algorithm>
#include <array>

#include "heddle/base/index.hpp"

namespace heddle {
namespace {

constexpr double kHalf = 0.5, kBroad = 0.9, kSharp = 0.5;

// A test holds docs/roles.md to these tables.
constexpr std::array<RoleRule, 9> kRules{{
    {"self", "self", 1, RoleTest::excess_at_least, kHalf},
    {"previous", "previous", 1, RoleTest::excess_at_least, kHalf},
    {"operator", "operator", 1, RoleTest::excess_at_least, kHalf},
    {"bos", "bos", 1, RoleTest::excess_at_least, kHalf},
    {"aligned", "aligned", 1, RoleTest::excess_at_least, kHalf},
    {"carry", "carry_column", 1, RoleTest::excess_at_least, kHalf},
    {"column", "column", 2, RoleTest::excess_at_least, kHalf},
    {"broad", "entropy", 3, RoleTest::value_at_least, kBroad},
    {"sharp", "entropy", 3, RoleTest::value_at_most, kSharp},
}};
constexpr std::array<RoleRule, 10> kWordRules{{
    {"self", "self", 1, RoleTest::excess_at_least, kHalf},
    {"previous", "previous", 1, RoleTest::excess_at_least, kHalf},
    {"next", "next", 1, RoleTest::excess_at_least, kHalf},
    {"aligned", "aligned", 1, RoleTest::excess_at_least, kHalf},
    {"mirror", "mirror", 1, RoleTest::excess_at_least, kHalf},
    {"same-token", "same-token", 1, RoleTest::excess_at_least, kHalf},
    {"first", "first", 1, RoleTest::excess_at_least, kHalf},
    {"last", "last", 1, RoleTest::excess_at_least, kHalf},
    {"broad", "entropy", 2, RoleTest::value_at_least, kBroad},
    {"sharp", "entropy", 2, RoleTest::value_at_most, kSharp},
}};
constexpr std::array<std::string_view, 3> kTests{"excess at least", "value at least",
                                                 "value at most"};

double compared(const RoleRule& rule, const HeadMeasure& measure) {
  return rule.test == RoleTest::excess_at_least ? excess_over_uniform(measure) : measure.value;
}

bool holds(const RoleRule& rule, double number) {
  return rule.test == RoleTest::value_at_most ? number <= rule.threshold : number >= rule.threshold;
}

HeadRole role_of(std::string_view head, std::span<const HeadMeasure> measures,
                 std::span<const RoleRule> rules) {
  HeadRole role{.head = std::string(head), .role = std::string(kMixedRole), .score = 0};
  int step = 0;  // of the rule that named it
  for (const RoleRule& rule : rules) {
    if (step > 0 && rule.step > step) break;
    for (const HeadMeasure& measure : measures) {
      if (measure.head != head || measure.measure != rule.measure) continue;
      const double number = compared(rule, measure);
      const bool excess = rule.test == RoleTest::excess_at_least;
      if (holds(rule, number) && (step == 0 || number > role.score)) {
        role.role = rule.role;
        role.score = number;
        step = rule.step;
      } else if (step == 0 && excess) {
        role.score = std::max(role.score, number);
      }
    }
  }
  return role;
}

}  // namespace

std::string_view name_of(RoleTest test) {
  return kTests[to_size(test)];
}

std::span<const RoleRule> role_rules() {
  return kRules;
}

std::span<const RoleRule> word_role_rules() {
  return kWordRules;
}

double excess_over_uniform(const HeadMeasure& measure) {
  return measure.uniform < 1 ? (measure.value - measure.uniform) / (1 - measure.uniform) : 0;
}

std::vector<HeadRole> roles_of(std::span<const HeadMeasure> measures,
                               std::span<const RoleRule> rules) {
  std::vector<HeadRole> roles;
  for (const HeadMeasure& measure : measures)
    if (std::ranges::find(roles, measure.head, &HeadRole::head) == roles.end())
      roles.push_back(role_of(measure.head, measures, rules));
  return roles;
}

}  // namespace heddle
