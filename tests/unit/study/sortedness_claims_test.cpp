// The reports' claims about sortedness, judged on made-up members.
#include <algorithm>

#include <gtest/gtest.h>

#include "heddle/study/sortedness/facts.hpp"
#include "heddle/study/sortedness/written_claims.hpp"

namespace heddle {
namespace {

SortCell cell(std::string kind, std::int64_t length, double accuracy) {
  SortCell made;
  made.length = length;
  made.kind = std::move(kind);
  made.values = made.kind == "swaps" ? "uniform" : "windowed";
  made.total = 1000;
  made.correct = static_cast<std::int64_t>(1000 * accuracy);
  made.pairs_total = 500;
  return made;
}

SortMember member(std::string recipe, std::uint64_t seed, double swaps, double twins) {
  SortMember made;
  made.recipe = std::move(recipe);
  made.seed = seed;
  made.learned = true;
  made.in_range = 1;
  made.cells = {cell("swaps", 256, swaps), cell("adjacent", 256, twins)};
  return made;
}

std::vector<SortMember> seeds(const std::string& recipe, int count, double swaps, double twins) {
  std::vector<SortMember> made;
  for (int i = 1; i <= count; ++i)
    made.push_back(member(recipe, static_cast<std::uint64_t>(i), swaps, twins));
  return made;
}

std::vector<SortMember> joined(std::initializer_list<std::vector<SortMember>> parts) {
  std::vector<SortMember> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Claim claim_of(std::span<const SortMember> members, std::string_view id) {
  const std::vector<Claim> claims = judge<SortMember>(written_sortedness_claims(), members);
  const auto found = std::ranges::find(claims, id, &Claim::id);
  return found != claims.end() ? *found : Claim{};
}

TEST(SortClaims, EveryClaimIsWholeAndArgumentsComeFirst) {
  const std::vector<Claim> claims = judge<SortMember>(written_sortedness_claims(), {});
  ASSERT_EQ(claims.size(), written_sortedness_claims().size());
  EXPECT_TRUE(std::ranges::is_partitioned(claims, &Claim::logical));
  std::vector<std::string> ids;
  for (const Claim& claim : claims) {
    ids.push_back(claim.id);
    EXPECT_FALSE(claim.statement.empty() || claim.predicate.empty() || claim.rule.empty() ||
                 claim.reason.empty() || claim.evidence.empty())
        << claim.id;
    EXPECT_EQ(claim.verdict, claim.logical ? Verdict::refuted : Verdict::undecided) << claim.id;
  }
  std::ranges::sort(ids);
  EXPECT_EQ(std::ranges::unique(ids).begin(), ids.end());
}

TEST(SortClaims, EightOfEightDecide) {
  EXPECT_EQ(claim_of(seeds("sinusoidal-mean", 8, 0.95, 0.5), "sortedness.A3").verdict,
            Verdict::holds);
  EXPECT_EQ(claim_of(seeds("sinusoidal-mean", 8, 0.55, 0.5), "sortedness.A3").verdict,
            Verdict::refuted);
  EXPECT_EQ(claim_of(seeds("sinusoidal-mean", 3, 0.55, 0.5), "sortedness.A3").verdict,
            Verdict::undecided);
  EXPECT_EQ(claim_of(seeds("learned-mean", 8, 1.0, 0.5), "sortedness.A4").verdict,
            Verdict::refuted);
  EXPECT_EQ(claim_of(seeds("learned-mean", 8, 1.0, 0.5), "sortedness.D3").verdict,
            Verdict::refuted);
}

TEST(SortClaims, WhoNeverLearnedIsNotAskedToExtrapolate) {
  auto members = seeds("sinusoidal-mean", 8, 0.95, 0.5);
  for (std::size_t i = 0; i < 5; ++i) members[i].learned = false;
  const Claim claim = claim_of(members, "sortedness.A3");
  ASSERT_EQ(claim.findings.size(), 1U);
  EXPECT_EQ(claim.findings[0].seeds, 3);
  EXPECT_EQ(claim.verdict, Verdict::undecided);
}

TEST(SortClaims, OneMemberIsEnoughAgainstTheBenchmark) {
  EXPECT_EQ(claim_of(seeds("recipe", 20, 1, 1), "sortedness.A5").verdict, Verdict::holds);
  EXPECT_EQ(claim_of(seeds("recipe", 19, 1, 1), "sortedness.A5").verdict, Verdict::undecided);
  const auto one = joined({seeds("recipe", 20, 1, 1), seeds("learned-mean", 1, 0.995, 0.53)});
  EXPECT_EQ(claim_of(one, "sortedness.A5").verdict, Verdict::refuted);
  // Who does not solve the benchmark says nothing about it.
  EXPECT_EQ(claim_of(seeds("learned-mean", 8, 0.98, 0.53), "sortedness.A5").findings.size(), 0U);
}

TEST(SortClaims, GainsAreCountedSeedBySeedAndForAllThree) {
  const auto better = [](const std::string& position, double with) {
    return joined({seeds(position + "-mean", 8, 0.6, 0.5), seeds(position + "-multi", 8, with, 1)});
  };
  const auto all = joined({better("sinusoidal", 1), better("learned", 1), better("none", 1)});
  EXPECT_EQ(claim_of(all, "sortedness.D6").verdict, Verdict::holds);
  EXPECT_EQ(claim_of(all, "sortedness.D4").verdict, Verdict::holds);
  const auto two = joined({better("sinusoidal", 1), better("learned", 0.64), better("none", 1)});
  EXPECT_EQ(claim_of(two, "sortedness.D6").verdict, Verdict::refuted);
  EXPECT_EQ(claim_of(better("sinusoidal", 1), "sortedness.D6").verdict, Verdict::undecided);
  auto half = better("none", 1);
  for (std::size_t i = 0; i < 4; ++i) half[i].cells[0].correct = 1000;  // of the mean
  EXPECT_EQ(claim_of(half, "sortedness.D6").findings.at(0).hits, 4);
  // Without a sibling of the same seed there is nothing to compare.
  EXPECT_TRUE(claim_of(seeds("sinusoidal-multi", 8, 1, 1), "sortedness.D6").findings.empty());
}

TEST(SortClaims, TheMeanIsABottleneckOnlyWhereTheRecipeIsNone) {
  const auto mean = seeds("recipe-mean", 8, 1, 0.7);
  EXPECT_EQ(claim_of(joined({seeds("recipe", 8, 1, 1), mean}), "sortedness.D5").verdict,
            Verdict::holds);
  EXPECT_EQ(claim_of(joined({seeds("recipe", 8, 1, 0.8), mean}), "sortedness.D5").verdict,
            Verdict::refuted);
}

TEST(SortClaims, ConstantPredictorsAreCounted) {
  auto members = seeds("reported-none", 4, 0.5, 0.5);
  members[0].cells[0].constant = true;
  const Claim claim = claim_of(members, "sortedness.A2");
  EXPECT_EQ(claim.verdict, Verdict::refuted);
  EXPECT_EQ(claim.findings.at(0).hits, 3);
}

TEST(SortClaims, CellsOfTwinsAndOfTheWantedValuesComeFirst) {
  SortMember one = member("recipe", 1, 0.7, 1);
  SortCell coin = one.cells[0], windowed = one.cells[0];
  coin.pairs_total = 0;
  windowed.values = "windowed";
  one.cells = {windowed, coin, one.cells[0]};
  EXPECT_EQ(cell_at(one, 256, NegativeKind::swaps, ValueKind::uniform), &one.cells[2]);
  EXPECT_EQ(cell_at(one, 256, NegativeKind::swaps, ValueKind::windowed), &one.cells[0]);
  EXPECT_EQ(cell_at(one, 64, NegativeKind::swaps, ValueKind::uniform), nullptr);
}

}  // namespace
}  // namespace heddle
