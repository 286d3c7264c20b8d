// A claim as it was written down before any study was run, and how the records of members decide
// it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/record/claims.hpp"

namespace heddle {

/// How members decide a claim.
enum class VerdictRule : std::uint8_t {
  argument,       ///< they do not: it is settled by argument
  shares,         ///< by the share of those for which the predicate holds, in each recipe
  counterexample  ///< one for which it does not hold is enough
};

/// Where a measured quantity must lie for a claim to hold.
struct Threshold {
  enum class Side : std::uint8_t { above, at_least, below, at_most };
  Side side = Side::at_least;
  double value = 0;

  bool holds(double measured) const;
};

/// What a claim says apart from how a member is asked.
struct ClaimText {
  std::string_view id;             ///< with its study: "addition.C2"
  std::string_view report;         ///< who says it
  std::string_view statement;      ///< what it says
  std::string_view predicate;      ///< what that means for one member, threshold included
  std::string_view evidence;       ///< section of the report that shows it
  std::string_view quantity = {};  ///< what is measured, in words
  std::string_view argument = {};  ///< of VerdictRule::argument
};

/// Which recipes decide a claim, and how.
struct ClaimRule {
  VerdictRule rule = VerdictRule::shares;
  std::vector<std::string> decides = {};  ///< recipes; all there are for a counterexample
  std::vector<std::string> beside = {};   ///< recipes that are shown too
  /// Where the measured quantity must lie; not needed beside a predicate of the claim's own.
  std::optional<Threshold> threshold = {};
};

template <class Member>
struct WrittenClaim {
  using Members = std::span<const Member>;  ///< all of the study, to compare with
  using Measure = std::function<std::optional<double>(const Member&, Members)>;
  using Predicate = std::function<std::optional<bool>(const Member&, Members)>;

  /// What no member shows.
  WrittenClaim(ClaimText words, ClaimRule decision) : text(words), rule(std::move(decision)) {}
  /// The quantity of one member (nothing where it cannot be asked) against the rule's threshold.
  WrittenClaim(ClaimText words, ClaimRule decision, Measure quantity)
      : text(words), rule(std::move(decision)), measured(std::move(quantity)) {}
  /// The same for a predicate that needs more than that quantity.
  WrittenClaim(ClaimText words, ClaimRule decision, Measure quantity, Predicate own)
      : text(words),
        rule(std::move(decision)),
        measured(std::move(quantity)),
        predicate(std::move(own)) {}

  std::optional<bool> holds(const Member& member, Members all) const {
    if (predicate) return predicate(member, all);
    if (!measured || !rule.threshold) return std::nullopt;
    const std::optional<double> value = measured(member, all);
    return value ? std::optional(rule.threshold->holds(*value)) : std::nullopt;
  }

  ClaimText text;
  ClaimRule rule;
  Measure measured;
  Predicate predicate;
};

/// One recipe's members asked about one claim.
struct RecipeAnswers {
  std::string recipe;
  std::int64_t holds = 0, asked = 0;
  std::vector<double> measured;
};

/// The claim with its findings (recipes of which nobody could be asked are left out) and verdict.
Claim judged(const ClaimText& text, VerdictRule rule, const std::vector<std::string>& deciding,
             const std::vector<RecipeAnswers>& answers);

/// A recipe's members asked about a claim.
template <class Member>
RecipeAnswers answers_of(const std::string& recipe, const WrittenClaim<Member>& claim,
                         std::span<const Member> members) {
  RecipeAnswers answer{.recipe = recipe, .measured = {}};
  for (const Member& member : members) {
    if (member.recipe != recipe) continue;
    const std::optional<bool> holds = claim.holds(member, members);
    if (!holds) continue;
    ++answer.asked;
    answer.holds += *holds ? 1 : 0;
    if (const auto value = claim.measured(member, members)) answer.measured.push_back(*value);
  }
  return answer;
}

/// Every claim judged, what argument settles first.
template <class Member>
std::vector<Claim> judge(const std::vector<WrittenClaim<Member>>& written,
                         std::span<const Member> members) {
  std::vector<std::string> recipes;
  for (const Member& member : members)
    if (std::ranges::find(recipes, member.recipe) == recipes.end())
      recipes.push_back(member.recipe);
  std::vector<Claim> claims;
  for (const WrittenClaim<Member>& claim : written) {
    const std::vector<std::string>& deciding =
        claim.rule.rule == VerdictRule::counterexample ? recipes : claim.rule.decides;
    std::vector<std::string> shown = deciding;
    shown.insert(shown.end(), claim.rule.beside.begin(), claim.rule.beside.end());
    std::vector<RecipeAnswers> answers;
    for (const std::string& recipe : shown) answers.push_back(answers_of(recipe, claim, members));
    claims.push_back(judged(claim.text, claim.rule.rule, deciding, answers));
  }
  std::ranges::stable_partition(claims, &Claim::logical);
  return claims;
}

}  // namespace heddle
