// See claims.hpp. The list of claims stands in written_claims.cpp.
#include "heddle/study/addition/claims.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "heddle/lens/stats/stats.hpp"
#include "heddle/study/addition/written_claims.hpp"

namespace heddle {
namespace {

constexpr std::array<std::string_view, 4> kRecipes = {"tuned", "corrected", "reported",
                                                      "reported-zero"};
constexpr std::string_view kRule =
    "holds if the exact 95 % interval for the share of members of the tuned recipe lies above one "
    "half, refuted if it lies below, else undecided";
constexpr std::string_view kArgument = "settled by argument; the members illustrate it";

std::string spread_text(std::string_view what, std::vector<double> values) {
  if (values.empty()) return std::string(what) + ": not measured";
  std::ranges::sort(values);
  return fmt::format("{}: median {:.4g}, from {:.4g} to {:.4g}", what, median_of(values),
                     values.front(), values.back());
}

std::optional<Finding> find_in(const WrittenClaim& claim, std::string_view recipe,
                               std::span<const MemberRecord> members) {
  Finding finding;
  finding.recipe = recipe;
  std::vector<double> values;
  for (const MemberRecord& member : members) {
    if (member.recipe != recipe) continue;
    const auto holds = claim.holds(member);
    if (!holds) continue;
    ++finding.seeds;
    finding.hits += *holds ? 1 : 0;
    if (const auto value = claim.measured(member)) values.push_back(*value);
  }
  if (finding.seeds == 0) return std::nullopt;
  const Interval interval = clopper_pearson({finding.hits, finding.seeds});
  finding.low = interval.low;
  finding.high = interval.high;
  finding.text = spread_text(claim.quantity, values);
  return finding;
}

std::string counted_verdict(const std::vector<Finding>& findings) {
  const auto tuned = std::ranges::find(findings, "tuned", &Finding::recipe);
  if (tuned == findings.end()) return "undecided";
  if (tuned->low > 0.5) return "holds";
  return tuned->high < 0.5 ? "refuted" : "undecided";
}

std::string counted_reason(const std::vector<Finding>& findings) {
  const auto tuned = std::ranges::find(findings, "tuned", &Finding::recipe);
  if (tuned == findings.end()) return "no member of the tuned recipe was asked";
  return fmt::format("{} of {} members of the tuned recipe", tuned->hits, tuned->seeds);
}

}  // namespace

std::vector<Claim> judge_claims(std::span<const MemberRecord> members) {
  std::vector<Claim> claims;
  for (const WrittenClaim& written : written_claims()) {
    Claim claim{.id = std::string(written.id),
                .report = std::string(written.report),
                .statement = std::string(written.statement),
                .predicate = std::string(written.predicate),
                .rule = std::string(written.argument.empty() ? kRule : kArgument),
                .logical = !written.argument.empty(),
                .verdict = "refuted",
                .reason = std::string(written.argument),
                .evidence = std::string(written.evidence),
                .findings = {}};
    for (const std::string_view recipe : kRecipes)
      if (auto finding = find_in(written, recipe, members)) claim.findings.push_back(*finding);
    if (!claim.logical) {
      claim.verdict = counted_verdict(claim.findings);
      claim.reason = counted_reason(claim.findings);
    }
    claims.push_back(std::move(claim));
  }
  std::ranges::stable_partition(claims, &Claim::logical);
  return claims;
}

}  // namespace heddle
