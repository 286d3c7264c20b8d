// The parts of a study that need no training: records and their JSON, claims, populations, scale.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/study/addition/facts.hpp"
#include "heddle/study/addition/population.hpp"
#include "heddle/study/addition/scale.hpp"
#include "heddle/study/addition/written_claims.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

Effect effect(std::string head, AblationMode mode, double drop) {
  Effect made;
  made.what = std::move(head);
  made.mode = mode;
  made.drop = drop;
  made.band = drop > 0.1 ? Band::critical : Band::redundant;
  return made;
}

/// A member whose most critical head sits in this module.
MemberRecord member(std::uint64_t seed, const std::string& module,
                    const std::string& recipe = "tuned") {
  MemberRecord record;
  record.recipe = recipe;
  record.seed = seed;
  record.test.greedy = record.test.teacher_forced = {100, 100};
  record.test.top_carry = {50, 50};
  for (const AblationMode mode : {AblationMode::zero, AblationMode::mean}) {
    record.ablation.heads.push_back(effect("encoder.0.self.head.0", mode, 0.005));
    record.ablation.heads.push_back(effect("decoder.1.self.head.1", mode, 0.004));
    for (const char* place : {"encoder.0.self", "decoder.1.self", "decoder.0.cross"})
      record.ablation.heads.push_back(
          effect(std::string(place) + ".head.2", mode, module == place ? 0.4 : 0.003));
  }
  record.ablation.together.push_back(effect("within 1 point", AblationMode::zero, 0.3));
  return record;
}

std::vector<MemberRecord> members(int deep, int others) {
  std::vector<MemberRecord> list;
  for (int i = 0; i < deep + others; ++i)
    list.push_back(
        member(static_cast<std::uint64_t>(i + 1), i < deep ? "decoder.1.self" : "encoder.0.self"));
  return list;
}

std::vector<Claim> judge_claims(std::span<const MemberRecord> members) {
  return judge<MemberRecord>(written_addition_claims(), members);
}

const Claim& claim(const std::vector<Claim>& claims, std::string_view id) {
  for (const Claim& one : claims)
    if (one.id == id) return one;
  throw Error("no such claim");
}

TEST(Tree, GivesBackWhatItWasGiven) {
  MemberRecord record = member(7, "decoder.0.cross");
  record.snapshots.push_back({.step = 3,
                              .greedy = {1, 2},
                              .tokens = {3, 4},
                              .by_carries = {{5, 6}},
                              .modules = {{"encoder.0.self", 0.25}},
                              .roles = {},
                              .measures = {}});
  record.ablation.heads[0].by_digit = {0.1, 0.2};
  const Json tree = to_tree(record);
  EXPECT_EQ(to_tree(from_tree<MemberRecord>(tree)).dump(), tree.dump());
  EXPECT_EQ(tree["ablation"]["heads"][0]["by_digit"][1], 0.2);
  EXPECT_EQ(tree["snapshots"][0]["by_carries"][0]["total"], 6);
}

TEST(Tree, WhatIsNoNumberIsNull) {
  Effect none = effect("x", AblationMode::mean, std::numeric_limits<double>::quiet_NaN());
  const Json tree = to_tree(none);
  EXPECT_TRUE(tree["drop"].is_null());
  EXPECT_TRUE(std::isnan(from_tree<Effect>(tree).drop));
}

TEST(Tree, SaysWhereItDoesNotFit) {
  Json tree = to_tree(member(1, "decoder.0.cross"));
  tree["ablation"]["heads"][2]["drop"] = "much";
  try {
    from_tree<MemberRecord>(tree);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("ablation.heads[2].drop"), std::string::npos)
        << error.what();
  }
  tree["ablation"].erase("pairs");
  EXPECT_THROW(from_tree<MemberRecord>(tree), Error);
}

TEST(Claims, AreJudgedByTheIntervalOverSeeds) {
  // Exact 95 % intervals: 8 of 8 lies above ½, 0 of 8 below, 4 of 8 holds it.
  EXPECT_EQ(claim(judge_claims(members(8, 0)), "addition.A1").verdict, Verdict::holds);
  EXPECT_EQ(claim(judge_claims(members(0, 8)), "addition.A1").verdict, Verdict::refuted);
  EXPECT_EQ(claim(judge_claims(members(4, 4)), "addition.A1").verdict, Verdict::undecided);
  EXPECT_EQ(claim(judge_claims(members(2, 0)), "addition.A1").verdict,
            Verdict::undecided);  // too few
  EXPECT_EQ(claim(judge_claims({}), "addition.A1").verdict, Verdict::undecided);
}

TEST(Claims, CountEveryRecipeButOnlyTheTunedOneDecides) {
  std::vector<MemberRecord> all = members(0, 8);
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    all.push_back(member(seed, "decoder.1.self", "reported"));
  const Claim judged = claim(judge_claims(all), "addition.A1");
  EXPECT_EQ(judged.verdict, Verdict::refuted);
  ASSERT_EQ(judged.findings.size(), 2U);
  EXPECT_EQ(judged.findings[1].recipe, "reported");
  EXPECT_EQ(judged.findings[1].hits, 3);
  EXPECT_EQ(judged.findings[1].seeds, 3);
}

TEST(Claims, LogicalOnesComeFirstAndAreRefutedWhateverTheMembersSay) {
  std::vector<MemberRecord> all = members(1, 0);
  all[0].test.disagreements = 5;
  const std::vector<Claim> claims = judge_claims(all);
  bool counted = false;
  for (const Claim& one : claims) {
    EXPECT_FALSE(counted && one.logical) << one.id;
    counted = counted || !one.logical;
    if (one.logical) {
      EXPECT_EQ(one.verdict, Verdict::refuted);
    }
    EXPECT_FALSE(one.predicate.empty());
    EXPECT_FALSE(one.rule.empty());
  }
  EXPECT_EQ(claim(claims, "addition.C1").findings[0].hits, 1);
}

TEST(Claims, HeadsThatAloneCostLittleAreAskedTogether) {
  std::vector<MemberRecord> all = members(0, 8);
  EXPECT_EQ(claim(judge_claims(all), "addition.A2").verdict, Verdict::refuted);
  for (MemberRecord& one : all) one.ablation.together[0].drop = 0.01;
  EXPECT_EQ(claim(judge_claims(all), "addition.A2").verdict, Verdict::holds);
}

TEST(Facts, RankByDropThenByMargin) {
  Ablation ablation;
  for (const auto& [head, drop, margin] :
       {std::tuple("a", 0.0, 1.0), std::tuple("b", 0.5, 0.0), std::tuple("c", 0.0, 2.0)}) {
    ablation.heads.push_back(effect(head, AblationMode::mean, drop));
    ablation.heads.back().margin_drop = margin;
    ablation.heads.push_back(effect(head, AblationMode::zero, 1 - drop));
  }
  const auto order = ranked(ablation, AblationMode::mean);
  ASSERT_EQ(order.size(), 3U);
  EXPECT_EQ(order[0]->what, "b");
  EXPECT_EQ(order[1]->what, "c");
  EXPECT_EQ(order[2]->what, "a");
  EXPECT_EQ(within(ablation, AblationMode::mean, 0), 2);
}

TEST(Facts, TheStrongestPatchIsTheMeanOfBothDirections) {
  Patching patching;
  const auto add = [&](const char* place, std::int64_t column, double value) {
    PatchEffect one;
    one.place = place;
    one.column = column;
    one.effect = value;
    patching.heads.push_back(one);
  };
  add("encoder.1.self.head.0", 0, 0.9);
  add("encoder.1.self.head.0", 0, 0.1);
  add("encoder.1.self.head.1", 0, 0.6);
  add("encoder.1.self.head.1", 0, 0.6);
  add("decoder.0.cross.head.1", 1, 0.8);
  EXPECT_EQ(strongest_patch(patching, "encoder.**", 0)->head, "encoder.1.self.head.1");
  EXPECT_DOUBLE_EQ(strongest_patch(patching, "encoder.**")->effect, 0.6);
  EXPECT_EQ(strongest_patch(patching, "**")->head, "decoder.0.cross.head.1");
  EXPECT_FALSE(strongest_patch(patching, "decoder.**", 0));
}

TEST(Population, CountsModulesAndSortsProfilesNeverByIndex) {
  std::vector<MemberRecord> all = members(3, 5);
  for (MemberRecord& one : all)
    for (const Effect& head : one.ablation.heads)
      if (head.mode == AblationMode::mean)
        one.specialisation.roles.push_back({head.what, "sharp", 0.5});
  const Population population = summarise_adders({.description = "", .config = {}}, all);
  for (const Estimate& module : population.critical_module) {
    EXPECT_EQ(module.hits, module.name == "decoder.1.self"   ? 3
                           : module.name == "encoder.0.self" ? 5
                                                             : 0)
        << module.name;
    EXPECT_EQ(module.seeds, 8);
    EXPECT_LE(module.low, module.value);
    EXPECT_GE(module.high, module.value);
  }
  ASSERT_EQ(population.profile.size(), 5U);
  EXPECT_DOUBLE_EQ(population.profile[0].value, 0.4);
  EXPECT_DOUBLE_EQ(population.profile[1].value, 0.005);
  EXPECT_EQ(population.seeds.size(), 8U);
}

TEST(Scale, ComparedRecipesTakeSmallerSamplesOfEverything) {
  for (const StudyPreset preset : {StudyPreset::quick, StudyPreset::standard, StudyPreset::full}) {
    const AdditionScale whole = AdditionScale::of(preset), smaller = for_comparison(whole);
    AdditionScale::fields(smaller, [&](std::string_view name, std::int64_t value) {
      EXPECT_TRUE(value > 0 || name == "census") << field_text(preset) << " " << name;
    });
    EXPECT_LT(smaller.ablation, whole.ablation);
  }
  AdditionScale scale;
  EXPECT_THROW(set_scale(scale, "ablaton", "5"), UsageError);
  EXPECT_THROW(set_scale(scale, "ablation", "-5"), UsageError);
}

TEST(Scale, StepsAreSpacedEvenlyOnALogAxis) {
  const auto steps = log_spaced(2000, 20);
  EXPECT_EQ(steps.front(), 10);
  EXPECT_EQ(steps.back(), 2000);
  EXPECT_EQ(steps.size(), 20U);
  for (std::size_t i = 2; i < steps.size(); ++i)
    EXPECT_NEAR(static_cast<double>(steps[i]) / static_cast<double>(steps[i - 1]),
                std::pow(200.0, 1.0 / 19), 0.05);
  EXPECT_EQ(log_spaced(12, 20), (std::vector<std::int64_t>{10, 11, 12}));
  EXPECT_EQ(log_spaced(5, 3).back(), 5);
}

}  // namespace
}  // namespace heddle
