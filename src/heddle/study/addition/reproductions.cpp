// See reproductions.hpp.
#include "heddle/study/addition/reproductions.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "heddle/base/decimal.hpp"
#include "heddle/lens/stats/stats.hpp"
#include "heddle/study/addition/facts.hpp"
#include "heddle/study/addition/recipes.hpp"

namespace heddle {
namespace {

using Ask = double (*)(const MemberRecord&);

/// "39.7 % (median of 16)", or what is missing.
std::string median_text(std::span<const MemberRecord> members, AdditionRecipe recipe, Ask ask,
                        bool percentage) {
  std::vector<double> values;
  for (const MemberRecord& member : members)
    if (member.recipe == field_text(recipe)) values.push_back(ask(member));
  if (values.empty()) return "not in this study";
  const double median = median_of(values);
  return percentage ? fmt::format("{} (median of {})", format_percent(median, 2), values.size())
                    : fmt::format("{:.4g} (median of {})", median, values.size());
}

double greedy(const MemberRecord& member) {
  return member.test.greedy.share();
}
double below_thousand(const MemberRecord& member) {
  const auto total = static_cast<double>(member.test.greedy.total);
  return (total - static_cast<double>(member.test.top_carry.total)) / std::max(total, 1.0);
}
double forced(const MemberRecord& member) {
  return member.test.teacher_forced.share();
}
double first_drop(const MemberRecord& member) {
  const auto order = ranked(member.ablation, AblationMode::zero);
  return order.empty() ? 0 : order.front()->drop;
}
double within_a_point(const MemberRecord& member) {
  return static_cast<double>(within(member.ablation, AblationMode::zero, 0.01));
}
double within_five(const MemberRecord& member) {
  return static_cast<double>(within(member.ablation, AblationMode::zero, 0.05));
}
double critical(const MemberRecord& member) {
  return static_cast<double>(std::ranges::count_if(member.ablation.heads, [](const Effect& effect) {
    return effect.mode == AblationMode::zero && effect.band == Band::critical;
  }));
}
double largest_reported_entropy(const MemberRecord& member) {
  double most = 0;
  for (const HeadMeasure& measure : member.specialisation.as_reported)
    if (measure.measure == "entropy") most = std::max(most, measure.value);
  return most;
}

}  // namespace

std::vector<Reproduction> reproduce_addition_reports(std::span<const MemberRecord> members) {
  const auto percent = [&](AdditionRecipe recipe, Ask ask) {
    return median_text(members, recipe, ask, true);
  };
  const auto number = [&](AdditionRecipe recipe, Ask ask) {
    return median_text(members, recipe, ask, false);
  };
  return {
      {"A, B", "greedy accuracy", "41.20 %", percent(AdditionRecipe::reported, greedy),
       percent(AdditionRecipe::tuned, greedy),
       "no BOS: the first digit is never learned and decoding starts from the digit 0, so only "
       "sums below 1,000 can be right: " +
           percent(AdditionRecipe::reported, below_thousand) + " of these test problems"},
      {"C", "greedy accuracy", "34.9 %", percent(AdditionRecipe::reported_zero, greedy),
       percent(AdditionRecipe::tuned, greedy),
       "the same, and PAD is the digit 0 and ignored in the loss, so 0 is never written"},
      {"C", "teacher-forced accuracy", "99.85 %", percent(AdditionRecipe::reported_zero, forced),
       percent(AdditionRecipe::tuned, forced),
       "a mean of batch means over the positions that bear loss"},
      {"A, B", "largest drop of one head", ".2090", number(AdditionRecipe::reported, first_drop),
       number(AdditionRecipe::tuned, first_drop),
       "measured on the defect: at most the share that is right at all"},
      {"C", "largest drop of one head", ".2365", number(AdditionRecipe::reported_zero, first_drop),
       number(AdditionRecipe::tuned, first_drop), "the same"},
      {"A, B", "heads of 24 that cost at most 1 point", "14",
       number(AdditionRecipe::reported, within_a_point),
       number(AdditionRecipe::tuned, within_a_point),
       "single ablations do not add up: heads stand in for others"},
      {"D", "heads of 24 that cost at most 5 points", "18",
       number(AdditionRecipe::reported, within_five), number(AdditionRecipe::tuned, within_five),
       "the same"},
      {"D", "heads that cost more than 10 points", "5", number(AdditionRecipe::reported, critical),
       number(AdditionRecipe::tuned, critical), "the same"},
      {"D", "largest \"row\" entropy", "5.88",
       number(AdditionRecipe::reported, largest_reported_entropy),
       number(AdditionRecipe::tuned, largest_reported_entropy),
       "summed over all rows of the map: one row of 7 keys has at most 1.946 nats"},
  };
}

}  // namespace heddle
