// Heads paired by what they attend to: the pairing is the cheapest, finds heads that changed
// places, and agreement is judged against random pairings.
#include "heddle/lens/specialise/match.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/lens/ablate/ablate.hpp"
#include "heddle/lens/addition/column_roles.hpp"
#include "heddle/lens/specialise/assign.hpp"
#include "heddle/lens/stats/stats.hpp"
#include "tests/support/planted_heads.hpp"
#include "tests/support/questions.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

double total(const std::vector<double>& cost, const std::vector<std::size_t>& columns) {
  double sum = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) sum += cost[i * columns.size() + columns[i]];
  return sum;
}

TEST(Assignment, EqualsTheBestOfAllOrders) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    Rng rng(1, "assignment", trial);
    const auto n = to_size(1 + rng.below(6));
    std::vector<double> cost;
    for (std::size_t i = 0; i < n * n; ++i)
      cost.push_back(trial % 2 == 0 ? rng.normal() : static_cast<double>(rng.below(4)));  // ties
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    double best = std::numeric_limits<double>::infinity();
    do best = std::min(best, total(cost, order));
    while (std::ranges::next_permutation(order).found);
    const std::vector<std::size_t> found = cheapest_assignment(cost, n);
    std::vector<std::size_t> sorted = found;
    std::ranges::sort(sorted);
    std::ranges::sort(order);
    ASSERT_EQ(sorted, order);
    EXPECT_NEAR(total(cost, found), best, 1e-9) << trial;
  }
  EXPECT_THROW(cheapest_assignment(std::vector<double>(5), 2), Error);
}

MemberRecord record_of(const Member& member) {
  Team team(2);
  const std::vector<Problem> problems = some_problems(3, 200);
  const std::span<const Problem> all(problems);
  MemberRecord record;
  record.specialisation = specialise_columns(member, all.first(80), team);
  record.ablation = ablate(
      member,
      {.scored = questions_of(all.subspan(80, 60)), .reference = questions_of(all.subspan(140))},
      {.modes = {AblationMode::mean}}, team);
  return record;
}

Member restless_member() {
  Member member = make_member(planted_config());
  perturb(member.weights);
  member.weights.pack();
  return member;
}

TEST(Matching, FindsHeadsThatChangedPlaces) {
  const std::vector<Index> order{2, 0, 3, 1};
  Member moved = restless_member();
  permute_heads(moved, order);
  const std::vector<MemberRecord> records{record_of(restless_member()), record_of(moved)};
  const auto partners = match_heads(records[0].specialisation, records[1].specialisation);
  ASSERT_EQ(partners.size(), 24U);
  for (std::size_t i = 0; i < partners.size(); ++i)  // head i of the second was head order[i]
    EXPECT_EQ(order[partners[i] % 4], static_cast<Index>(i % 4)) << i;
  const Matching matching = match_population(records);
  EXPECT_EQ(matching.pairs_of_members, 1);
  EXPECT_NEAR(matching.agreement, 1, 1e-9);
  EXPECT_LT(matching.random, 0.95);
  EXPECT_LT(matching.p, 0.01);
  EXPECT_EQ(matching.low, -1);  // two members say nothing about others
  EXPECT_EQ(matching.high, 1);
}

/// Two modules of four heads with one measure each.
MemberRecord made_up(std::uint64_t seed, double tie) {
  Rng rng(seed, "made up");
  MemberRecord record;
  for (const char* module : {"encoder.0.self", "decoder.0.cross"})
    for (int h = 0; h < 4; ++h) {
      const std::string head = fmt::format("{}.head.{}", module, h);
      const double attention = rng.uniform();
      record.specialisation.roles.push_back({.head = head, .role = "mixed", .score = 0});
      record.specialisation.measures.push_back(
          {.head = head, .measure = "self", .value = attention, .uniform = 0.5});
      Effect effect;
      effect.what = head;
      effect.mode = AblationMode::mean;
      effect.margin_drop = tie * attention + (1 - tie) * rng.uniform();
      record.ablation.heads.push_back(effect);
    }
  return record;
}

std::vector<MemberRecord> made_up_population(std::uint64_t first, int members, double tie) {
  std::vector<MemberRecord> records;
  for (int i = 0; i < members; ++i)
    records.push_back(made_up(first + static_cast<std::uint64_t>(i), tie));
  return records;
}

TEST(Matching, SignaturesThatSayNothingAgreeLikeRandomPairings) {
  std::vector<double> p, gap;
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    const Matching matching = match_population(made_up_population(100 * trial, 4, 0));
    EXPECT_EQ(matching.pairs_of_members, 6);
    p.push_back(matching.p);
    gap.push_back(matching.agreement - matching.random);
  }
  EXPECT_NEAR(mean_of(p), 0.5, 0.15);  // uniform: 0.289 / √40 = 0.046
  EXPECT_NEAR(mean_of(gap), 0, 0.1);
  EXPECT_LE(std::ranges::count_if(p, [](double here) { return here <= 0.05; }), 7);
}

TEST(Matching, SignaturesThatSayEverythingAgree) {
  const Matching matching = match_population(made_up_population(1, 6, 0.95));
  EXPECT_EQ(matching.pairs_of_members, 15);
  EXPECT_GT(matching.agreement, 0.6);
  EXPECT_GT(matching.agreement, matching.random + 0.4);
  EXPECT_DOUBLE_EQ(matching.p, 1.0 / 1001);
  EXPECT_LT(matching.low, matching.agreement);
  EXPECT_GT(matching.high, matching.agreement);
}

TEST(Matching, AgreementIsTheRankCorrelation) {
  const std::vector<double> a{3, 1, 2, 2, 9}, b{0.5, 7, 7, 3, 1};
  const std::vector<std::size_t> partners{4, 2, 0, 1, 3};
  std::vector<double> beside;
  for (const std::size_t partner : partners) beside.push_back(b[partner]);
  EXPECT_NEAR(agreement_of(partners, a, b), spearman(a, beside), 1e-12);
  EXPECT_EQ(agreement_of(partners, a, std::vector<double>(5, 1.0)), 0);
}

TEST(Matching, ManyMembersAreSampledAndOneIsNone) {
  EXPECT_EQ(match_population(made_up_population(7, 24, 0.5)).pairs_of_members, 200);
  const Matching none = match_population(made_up_population(7, 1, 0.5));
  EXPECT_EQ(none.pairs_of_members, 0);
  EXPECT_EQ(none.p, 1);
  EXPECT_EQ(none.low, 0);
  EXPECT_EQ(none.high, 0);
  EXPECT_EQ(match_population({}).pairs_of_members, 0);
}

/// With all pairs the jackknife of a mean over pairs has a closed form:
/// N·U − (N−1)·U₋ᵢ = U + 2 (N−1)/(N−2) · (mᵢ − U), mᵢ the mean over the pairs of member i.
TEST(Matching, TheIntervalHasTheWidthOfAMeanOverPairs) {
  const std::vector<MemberRecord> records = made_up_population(50, 7, 0.7);
  const std::size_t n = records.size();
  std::vector<double> sums(n);
  double all = 0;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b) {
      const double here = match_population(std::vector{records[a], records[b]}).agreement;
      sums[a] += here;
      sums[b] += here;
      all += here / static_cast<double>(n * (n - 1) / 2);
    }
  std::vector<double> values;
  const auto size = static_cast<double>(n);
  for (const double sum : sums)
    values.push_back(all + 2 * (size - 1) / (size - 2) * (sum / (size - 1) - all));
  const Matching matching = match_population(records);
  const Interval wanted = t_interval(values);
  EXPECT_NEAR(matching.agreement, all, 1e-12);
  EXPECT_NEAR(matching.low, std::max(-1.0, wanted.low), 1e-9);
  EXPECT_NEAR(matching.high, std::min(1.0, wanted.high), 1e-9);
}

TEST(Matching, OtherHeadsAndMissingEffectsAreErrors) {
  std::vector<MemberRecord> records = made_up_population(3, 2, 0.5);
  records[1].ablation.heads.pop_back();
  EXPECT_THROW(match_population(records), Error);
  records = made_up_population(3, 2, 0.5);
  records[1].specialisation.roles.pop_back();
  records[1].specialisation.measures.pop_back();
  EXPECT_THROW(match_population(records), Error);
}

}  // namespace
}  // namespace heddle::testing
