// The rules that name a head, and the page that repeats them.
#include "heddle/lens/specialise/roles.hpp"

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"

namespace heddle {
namespace {

HeadRole role_with(std::vector<HeadMeasure> measures) {
  for (HeadMeasure& measure : measures) measure.head = "encoder.0.self.head.0";
  const auto roles = roles_of(measures);
  EXPECT_EQ(roles.size(), 1U);
  return roles.at(0);
}

HeadMeasure measure(const char* name, double value, double uniform) {
  return {.head = "", .measure = name, .value = value, .uniform = uniform};
}

TEST(Roles, ExcessIsZeroForUniformAndOneForAll) {
  EXPECT_DOUBLE_EQ(excess_over_uniform(measure("self", 0.25, 0.25)), 0);
  EXPECT_DOUBLE_EQ(excess_over_uniform(measure("self", 1, 0.25)), 1);
  EXPECT_DOUBLE_EQ(excess_over_uniform(measure("self", 0.625, 0.25)), 0.5);
  EXPECT_DOUBLE_EQ(excess_over_uniform(measure("self", 1, 1)), 0);
}

TEST(Roles, TheThresholdItselfIsEnough) {
  EXPECT_EQ(role_with({measure("operator", 0.625, 0.25)}).role, "operator");
  EXPECT_EQ(role_with({measure("operator", 0.6249, 0.25)}).role, "mixed");
  EXPECT_EQ(role_with({measure("entropy", 0.9, 1)}).role, "broad");
  EXPECT_EQ(role_with({measure("entropy", 0.89, 1)}).role, "mixed");
  EXPECT_EQ(role_with({measure("entropy", 0.51, 1)}).role, "mixed");
  EXPECT_EQ(role_with({measure("entropy", 0.5, 1)}).role, "sharp");
}

TEST(Roles, TheLargestExcessWinsAndOfEqualsTheFirst) {
  const HeadRole carry = role_with({measure("aligned", 0.6, 0), measure("carry_column", 0.7, 0)});
  EXPECT_EQ(carry.role, "carry");
  EXPECT_DOUBLE_EQ(carry.score, 0.7);
  EXPECT_EQ(role_with({measure("carry_column", 0.7, 0), measure("aligned", 0.7, 0)}).role,
            "aligned");
}

TEST(Roles, LaterStepsWait) {
  EXPECT_EQ(
      role_with({measure("entropy", 0.2, 1), measure("column", 1, 0.25), measure("self", 0.6, 0)})
          .role,
      "self");
  EXPECT_EQ(
      role_with({measure("entropy", 0.2, 1), measure("column", 1, 0.25), measure("self", 0.4, 0)})
          .role,
      "column");
  const HeadRole mixed = role_with({measure("entropy", 0.7, 1), measure("self", 0.4, 0)});
  EXPECT_EQ(mixed.role, "mixed");
  EXPECT_DOUBLE_EQ(mixed.score, 0.4);
}

/// What a reader is told that a score is, is what the rule compared.
TEST(Roles, AScoreSaysWhatItIs) {
  for (const auto rules : {role_rules(), word_role_rules()})
    for (const RoleRule& rule : rules) {
      const HeadRole role{.head = "", .role = std::string(rule.role), .score = 0};
      EXPECT_EQ(role.by_entropy(), rule.measure == "entropy") << rule.role;
      EXPECT_EQ(role.by_entropy(), rule.test != RoleTest::excess_at_least) << rule.role;
    }
  EXPECT_FALSE((HeadRole{.head = "", .role = std::string(kMixedRole), .score = 0}).by_entropy());
}

/// docs/roles.md has each rule of a table as a line, and no other.
void expect_on_page(std::string_view heading, std::span<const RoleRule> rules) {
  const std::string page = read_file(HEDDLE_TEST_DATA "/../docs/roles.md");
  std::vector<std::string> lines, written;
  for (const RoleRule& rule : rules)
    lines.push_back(fmt::format("| {} | {} | {} | {} {:.1f} |", rule.step, rule.role, rule.measure,
                                name_of(rule.test), rule.threshold));
  bool inside = false;
  for (const std::string& line : split(page, '\n')) {
    if (inside && line.empty()) break;
    if (inside && !line.starts_with("|---")) written.push_back(line);
    inside = inside || line.starts_with(heading);
  }
  EXPECT_EQ(written, lines);
  EXPECT_NE(page.find(fmt::format("`{}`", kMixedRole)), std::string::npos);
}

TEST(Roles, ThePageMirrorsTheTables) {
  expect_on_page("| step | role |", role_rules());
  expect_on_page("| step | role of a head of words |", word_role_rules());
}

}  // namespace
}  // namespace heddle
