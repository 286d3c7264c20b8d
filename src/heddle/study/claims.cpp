// See claims.hpp.
#include "heddle/study/claims.hpp"

#include <fmt/core.h>

#include "heddle/base/fields.hpp"
#include "heddle/base/text.hpp"
#include "heddle/lens/stats/stats.hpp"

namespace heddle {
namespace {

constexpr std::int64_t kEnough = 20;  // members that could have been a counterexample

std::string rule_text(VerdictRule rule, const std::vector<std::string>& deciding) {
  if (rule == VerdictRule::argument) return "settled by argument; the members illustrate it";
  if (rule == VerdictRule::counterexample)
    return fmt::format(
        "refuted by one member, of whatever recipe, for which it does not hold; "
        "holds if there is none among {} or more that could be asked",
        kEnough);
  return fmt::format(
      "holds if the exact 95 % interval for the share of members lies above one "
      "half{}, refuted if {} lies below, else undecided (recipes: {})",
      deciding.size() > 1 ? " in every recipe" : "",
      deciding.size() > 1 ? "that of one recipe" : "it", join(deciding, ", "));
}

std::string spread_text(std::string_view quantity, std::vector<double> values) {
  if (values.empty()) return std::string(quantity) + ": not measured";
  std::ranges::sort(values);
  return fmt::format("{}: median {:.4g}, from {:.4g} to {:.4g}", quantity, median_of(values),
                     values.front(), values.back());
}

Finding finding_of(const RecipeAnswers& answers, std::string_view quantity) {
  const Interval interval = clopper_pearson({answers.holds, answers.asked});
  return {.recipe = answers.recipe,
          .hits = answers.holds,
          .seeds = answers.asked,
          .low = interval.low,
          .high = interval.high,
          .text = spread_text(quantity, answers.measured)};
}

struct Judgement {
  Verdict verdict = Verdict::undecided;
  std::string reason;
};

Judgement by_shares(const std::vector<std::string>& recipes, const std::vector<Finding>& findings) {
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
  return {.verdict = one_below   ? Verdict::refuted
                     : all_above ? Verdict::holds
                                 : Verdict::undecided,
          .reason = join(reasons, "; ")};
}

Judgement by_counterexample(const std::vector<Finding>& findings) {
  std::int64_t asked = 0, against = 0;
  for (const Finding& finding : findings) {
    asked += finding.seeds;
    against += finding.seeds - finding.hits;
  }
  return {.verdict = against > 0        ? Verdict::refuted
                     : asked >= kEnough ? Verdict::holds
                                        : Verdict::undecided,
          .reason = fmt::format("it does not hold for {} of the {} members that could be asked",
                                against, asked)};
}

}  // namespace

bool Threshold::holds(double measured) const {
  switch (side) {
    case Side::above:
      return measured > value;
    case Side::at_least:
      return measured >= value;
    case Side::below:
      return measured < value;
    case Side::at_most:
      break;
  }
  return measured <= value;
}

Claim judged(const ClaimText& text, VerdictRule rule, const std::vector<std::string>& deciding,
             const std::vector<RecipeAnswers>& answers) {
  std::vector<Finding> findings;
  for (const RecipeAnswers& answer : answers)
    if (answer.asked > 0) findings.push_back(finding_of(answer, text.quantity));
  Judgement judgement{.verdict = Verdict::refuted, .reason = std::string(text.argument)};
  if (rule == VerdictRule::shares) judgement = by_shares(deciding, findings);
  if (rule == VerdictRule::counterexample) judgement = by_counterexample(findings);
  return {.id = std::string(text.id),
          .report = std::string(text.report),
          .statement = std::string(text.statement),
          .predicate = std::string(text.predicate),
          .rule = rule_text(rule, deciding),
          .logical = rule == VerdictRule::argument,
          .verdict = judgement.verdict,
          .reason = judgement.reason,
          .evidence = std::string(text.evidence),
          .findings = std::move(findings)};
}

}  // namespace heddle
