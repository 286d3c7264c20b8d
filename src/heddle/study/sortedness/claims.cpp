// See claims.hpp. The list of claims stands in written_claims.cpp.
#include "heddle/study/sortedness/claims.hpp"

#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "heddle/base/text.hpp"
#include "heddle/lens/stats/stats.hpp"
#include "heddle/study/sortedness/written_claims.hpp"

namespace heddle {
namespace {

constexpr std::int64_t kEnough = 20;  // members that could have been a counterexample

std::vector<std::string> recipes_of(SortMembers members) {
  std::vector<std::string> recipes;
  for (const SortMember& member : members)
    if (std::ranges::find(recipes, member.recipe) == recipes.end())
      recipes.push_back(member.recipe);
  return recipes;
}

std::vector<std::string> deciding(const WrittenSortClaim& claim, SortMembers members) {
  if (claim.rule == SortRule::counterexample) return recipes_of(members);
  return {claim.decides.begin(), claim.decides.end()};
}

std::string rule_text(const WrittenSortClaim& claim) {
  if (claim.rule == SortRule::argument) return "settled by argument; the members illustrate it";
  if (claim.rule == SortRule::counterexample)
    return fmt::format(
        "refuted by one member, of whatever recipe, for which it does not hold; "
        "holds if there is none among {} or more that could be asked",
        kEnough);
  const std::vector<std::string> recipes{claim.decides.begin(), claim.decides.end()};
  return fmt::format(
      "holds if the exact 95 % interval for the share of members lies above one "
      "half{}, refuted if {} lies below, else undecided (recipes: {})",
      recipes.size() > 1 ? " in every recipe" : "",
      recipes.size() > 1 ? "that of one recipe" : "it", join(recipes, ", "));
}

std::string spread_text(std::string_view what, std::vector<double> values) {
  if (values.empty()) return std::string(what) + ": not measured";
  std::ranges::sort(values);
  return fmt::format("{}: median {:.4g}, from {:.4g} to {:.4g}", what, median_of(values),
                     values.front(), values.back());
}

std::optional<Finding> find_in(const WrittenSortClaim& claim, const std::string& recipe,
                               SortMembers members) {
  if (!claim.holds) return std::nullopt;
  Finding finding;
  finding.recipe = recipe;
  std::vector<double> values;
  for (const SortMember& member : members) {
    if (member.recipe != recipe) continue;
    const auto holds = claim.holds(member, members);
    if (!holds) continue;
    ++finding.seeds;
    finding.hits += *holds ? 1 : 0;
    if (const auto value = claim.measured(member, members)) values.push_back(*value);
  }
  if (finding.seeds == 0) return std::nullopt;
  const Interval interval = clopper_pearson({finding.hits, finding.seeds});
  finding.low = interval.low;
  finding.high = interval.high;
  finding.text = spread_text(claim.quantity, values);
  return finding;
}

struct Judged {
  std::string verdict, reason;
};

Judged by_shares(const std::vector<std::string>& recipes, const std::vector<Finding>& findings) {
  constexpr double kHalf = 0.5;
  bool all_above = true, one_below = false;
  std::vector<std::string> reasons;
  for (const std::string& recipe : recipes) {
    const auto found = std::ranges::find(findings, recipe, &Finding::recipe);
    if (found == findings.end()) {
      all_above = false;
      reasons.push_back("no member of " + recipe + " could be asked");
      continue;
    }
    all_above = all_above && found->low > kHalf;
    one_below = one_below || found->high < kHalf;
    reasons.push_back(
        fmt::format("{} of {} members of {}", found->hits, found->seeds, found->recipe));
  }
  const char* verdict = one_below ? "refuted" : all_above ? "holds" : "undecided";
  return {.verdict = verdict, .reason = join(reasons, "; ")};
}

Judged by_counterexample(const std::vector<Finding>& findings) {
  std::int64_t asked = 0, against = 0;
  for (const Finding& finding : findings) {
    asked += finding.seeds;
    against += finding.seeds - finding.hits;
  }
  const char* verdict = against > 0 ? "refuted" : asked >= kEnough ? "holds" : "undecided";
  return {.verdict = verdict,
          .reason = fmt::format("it does not hold for {} of the {} members that could be asked",
                                against, asked)};
}

Claim judge(const WrittenSortClaim& written, SortMembers members) {
  Claim claim{.id = std::string(written.id),
              .report = std::string(written.report),
              .statement = std::string(written.statement),
              .predicate = std::string(written.predicate),
              .rule = rule_text(written),
              .logical = written.rule == SortRule::argument,
              .verdict = "refuted",
              .reason = std::string(written.argument),
              .evidence = std::string(written.evidence),
              .findings = {}};
  const std::vector<std::string> recipes = deciding(written, members);
  std::vector<std::string> shown = recipes;
  shown.insert(shown.end(), written.beside.begin(), written.beside.end());
  for (const std::string& recipe : shown)
    if (auto finding = find_in(written, recipe, members)) claim.findings.push_back(*finding);
  if (claim.logical) return claim;
  const Judged judged = written.rule == SortRule::counterexample
                            ? by_counterexample(claim.findings)
                            : by_shares(recipes, claim.findings);
  claim.verdict = judged.verdict;
  claim.reason = judged.reason;
  return claim;
}

}  // namespace

std::vector<Claim> judge_sort_claims(std::span<const SortMember> members) {
  std::vector<Claim> claims;
  for (const WrittenSortClaim& written : written_sort_claims())
    claims.push_back(judge(written, members));
  std::ranges::stable_partition(claims, &Claim::logical);
  return claims;
}

}  // namespace heddle
