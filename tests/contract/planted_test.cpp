// Lenses on a model whose truth is known: they find what was planted and nothing else.
#include "tests/support/planted.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/lens/ablate/ablate.hpp"
#include "heddle/lens/addition/carry_patching.hpp"
#include "heddle/lens/addition/carry_probes.hpp"
#include "heddle/task/addition/carries.hpp"
#include "tests/support/questions.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

const std::string kColumnHead = "decoder.0.cross.head.0", kReader = "decoder.0.cross.head.1",
                  kTwin = "decoder.0.cross.head.2", kConstantHead = "decoder.0.cross.head.3",
                  kAdder = "encoder.0.self.head.1";

bool unit_carry(const Problem& problem) {
  return carries_of(problem).out[0];
}

/// Problems of which exactly this many have a carry out of the units.
std::vector<Problem> with_carries(std::size_t carries, std::size_t others) {
  std::vector<Problem> problems;
  std::array<std::size_t, 2> wanted{others, carries};
  for (const Problem& problem : some_problems(2, 2000)) {
    std::size_t& left = wanted[unit_carry(problem) ? 1 : 0];
    if (left == 0) continue;
    --left;
    problems.push_back(problem);
  }
  EXPECT_EQ(problems.size(), carries + others);
  return problems;
}

std::int64_t count_right(std::span<const Problem> problems, bool column, bool carry) {
  return std::ranges::count_if(
      problems, [&](const Problem& problem) { return planted_right(problem, column, carry); });
}

Ablation ablated(const Member& member, std::span<const Problem> scored,
                 std::span<const Problem> reference, bool pairs = false) {
  Team team(2);
  return ablate(member, {.scored = questions_of(scored), .reference = questions_of(reference)},
                {.donors = 8, .pairs = pairs, .modules = true}, team);
}

const Effect& effect_of_head(const Ablation& ablation, const std::string& head, AblationMode mode) {
  return *std::ranges::find_if(ablation.heads, [&](const Effect& effect) {
    return effect.what == head && effect.mode == mode;
  });
}

const std::vector<Problem>& scored_problems() {
  static const std::vector<Problem> kProblems = with_carries(240, 260);
  return kProblems;
}

TEST(Planted, TheAdderAddsEverything) {
  for (const PlantedOptions& options :
       {PlantedOptions{}, PlantedOptions{.twin = true}, PlantedOptions{.constant = true}}) {
    const Member member = planted_adder(options);
    std::vector<Problem> all;
    for (std::uint64_t a = 0; a < 100; ++a)
      for (std::uint64_t b = 0; b < 100; ++b) all.push_back(make_problem(a, b, 2));
    Team team(2);
    const auto verdicts = judge_variants(member, rows_of(member, all), {}, team);
    EXPECT_EQ(verdicts[0].count(), (Count{10000, 10000}));
  }
}

/// The column head carries the answer: first in every mode, its module too, and what is lost is
/// what arithmetic says; heads that do nothing cost nothing.
TEST(Planted, AblationRanksTheHeadThatCarriesTheAnswer) {
  const Member member = planted_adder();
  const auto& scored = scored_problems();
  const Ablation ablation = ablated(member, scored, with_carries(40, 60));
  EXPECT_EQ(ablation.baseline, (Count{500, 500}));
  std::map<AblationMode, std::pair<double, std::string>> worst;
  for (const Effect& effect : ablation.heads) {
    auto& [drop, head] = worst[effect.mode];
    if (effect.drop > drop) head = effect.what;
    drop = std::max(drop, effect.drop);
    if (effect.what != kColumnHead && effect.what != kReader && effect.what != kAdder) {
      EXPECT_EQ(effect.drop, 0) << effect.what << ' ' << name_of(effect.mode);
    }
  }
  for (const AblationMode mode : {AblationMode::zero, AblationMode::mean, AblationMode::resample})
    EXPECT_EQ(worst[mode].second, kColumnHead);
  const double without_column = 1 - static_cast<double>(count_right(scored, false, true)) / 500;
  const double without_carry = 1 - static_cast<double>(count_right(scored, true, false)) / 500;
  EXPECT_EQ(without_carry, 0.48);  // 240 of them need it
  EXPECT_DOUBLE_EQ(effect_of_head(ablation, kColumnHead, AblationMode::zero).drop, without_column);
  // A mean carry of 0.4 is rounded to 0: as good as none.
  for (const std::string& head : {kReader, kAdder})
    for (const AblationMode mode : {AblationMode::zero, AblationMode::mean}) {
      if (head == kAdder && mode == AblationMode::mean) continue;  // a mean sum is no mean carry
      EXPECT_DOUBLE_EQ(effect_of_head(ablation, head, mode).drop, without_carry)
          << head << name_of(mode);
    }
  const auto module = std::ranges::max_element(ablation.modules, {}, &Effect::drop);
  EXPECT_EQ(module->what, "decoder.0.cross");
}

/// Two heads, either of which is enough: each alone costs nothing, both together cost the carries.
TEST(Planted, PairsRevealWhatSinglesHide) {
  const Member member = planted_adder({.twin = true});
  const auto& scored = scored_problems();
  // A mean carry of ½ in both is 0.6, which is rounded to 1: right where there is a carry.
  const Ablation ablation = ablated(member, scored, with_carries(50, 50), true);
  for (const std::string& head : {kReader, kTwin})
    for (const AblationMode mode : {AblationMode::zero, AblationMode::mean})
      EXPECT_EQ(effect_of_head(ablation, head, mode).drop, 0) << head << ' ' << name_of(mode);
  for (const PairEffect& pair : ablation.pairs) {
    if (pair.a == kReader && pair.b == kTwin) {
      EXPECT_DOUBLE_EQ(pair.drop, 0.52);
      EXPECT_GT(pair.excess, 0.5);
    } else {
      EXPECT_LT(pair.excess, 0.26) << pair.a << ' ' << pair.b;
    }
  }
}

/// A head that always says the same: its mean and other problems' values are its own, only zeros
/// are not.
TEST(Planted, AConstantHeadIsMissedByZerosAlone) {
  const Member member = planted_adder({.constant = true});
  const auto& scored = scored_problems();
  const std::vector<Problem> reference = with_carries(40, 60);
  const Ablation ablation = ablated(member, scored, reference);
  for (const AblationMode mode : {AblationMode::mean, AblationMode::resample})
    EXPECT_EQ(effect_of_head(ablation, kConstantHead, mode).drop, 0) << name_of(mode);
  EXPECT_GT(effect_of_head(ablation, kConstantHead, AblationMode::zero).drop, 0.9);
  Team team(2);
  const HeadOutputs outputs(member, rows_of(member, reference), team);
  const std::vector<Head> heads = heads_of(member);
  const auto head = std::ranges::find(heads, kConstantHead, &Head::name);
  const std::vector<Variant> variants{replace_heads({*head}, mean_fill(outputs))};
  const auto verdicts = judge_variants(member, rows_of(member, scored), variants, team);
  EXPECT_EQ(verdicts[0].margins, verdicts[1].margins);  // bit for bit
}

/// A problem as its own donor changes no bit, whatever the head does.
TEST(Planted, OnesOwnDonorChangesNothing) {
  Config config = tiny_config();
  config.task.digits = 2;
  const Member member = make_member(config);
  const std::vector<Problem> problems = some_problems(2, 200);
  const EncodedQuestions set = rows_of(member, problems);
  Team team(2);
  const HeadOutputs outputs(member, set, team);
  std::vector<Index> own(200), other(200);
  for (Index i = 0; i < 200; ++i) {
    own[to_size(i)] = i;
    other[to_size(i)] = (i + 1) % 200;
  }
  std::vector<Variant> variants;
  const std::vector<Head> heads = heads_of(member);
  for (const Head& head : heads) {
    variants.push_back(replace_heads({head}, donor_fill(outputs, own)));
    variants.push_back(replace_heads({head}, donor_fill(outputs, other)));
  }
  const auto verdicts = judge_variants(member, set, variants, team);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    EXPECT_EQ(verdicts[1 + 2 * i].margins, verdicts[0].margins) << heads[i].name;
    EXPECT_NE(verdicts[2 + 2 * i].margins, verdicts[0].margins) << heads[i].name;
  }
}

/// Patching the units' carry: the head that adds the units at '+', the stream there, the head that
/// reads it, at the position that says the tens. Patching the other carry: the column head.
TEST(Planted, PatchingFindsTheCarry) {
  Team team(2);
  const Patching patching = patch_member(planted_adder(), {.pairs = 60}, team);
  constexpr double kRounding = 0.01;
  std::size_t ones = 0;
  const auto expect = [&](const PatchEffect& effect, bool carries) {
    const std::string where =
        fmt::format("{} {} {} {}", effect.column, effect.direction, effect.place, effect.token);
    EXPECT_NEAR(effect.effect, carries ? 1 : 0, kRounding) << where;
    EXPECT_NEAR(effect.control, 0, kRounding) << where;
    EXPECT_LE(effect.low, effect.effect) << where;
    EXPECT_GE(effect.high, effect.effect) << where;
    ones += carries ? 1 : 0;
  };
  for (const PatchEffect& effect : patching.heads)
    expect(effect, effect.column == 0 ? effect.place == kAdder || effect.place == kReader
                                      : effect.place == kColumnHead);
  EXPECT_EQ(ones, 6U);  // three heads, two directions
  for (const PatchEffect& effect : patching.places)
    expect(effect, effect.token == (effect.column == 1       ? "BOS"
                                    : effect.place == kAdder ? "+"
                                                             : "s2"));
  for (const PatchEffect& effect : patching.stream) {
    if (effect.place.starts_with("decoder")) expect(effect, true);
    // The units' carry has gone to '+'; the tens are still where they were read.
    if (effect.place == "encoder.0.resid_after" && effect.column == 0)
      expect(effect, effect.token == "+");
  }
  EXPECT_EQ(std::ranges::count(patching.path, "0|head|encoder.0.self.head.1|+|1.00"), 1);
  EXPECT_EQ(std::ranges::count(patching.path, "0|stream|encoder.0.resid_after|+|1.00"), 1);
  EXPECT_EQ(std::ranges::count(patching.path, "0|head|decoder.0.cross.head.1|s2|1.00"), 1);
  EXPECT_EQ(std::ranges::count(patching.path, "1|head|decoder.0.cross.head.0|BOS|1.00"), 1);
  for (const PatchSwing& swing : patching.swings) {
    EXPECT_NEAR(swing.before, -10, 0.1);
    EXPECT_NEAR(swing.after, 10, 0.1);
    EXPECT_NEAR(swing.control, -10, 0.1);
  }
}

const ProbeResult& probe_at(const Probing& probing, const std::string& tap,
                            const std::string& token, const std::string& target) {
  return *std::ranges::find_if(probing.probes, [&](const ProbeResult& probe) {
    return probe.tap == tap && probe.token == token && probe.target == target;
  });
}

/// The carry stands at '+' and its sum does not; a probe finds it on digit pairs it never saw, and
/// the controls do not follow. Where it cannot be yet, probes guess.
TEST(Planted, ProbesFindTheCarry) {
  const Member member = planted_adder();
  Team team(2);
  const Probing probing =
      probe_member(member, draw_probe_problems(member.config, 600, 600), {}, team);
  for (const char* target : {"carry.0", "carry_in.1 | sum 9"}) {
    const ProbeResult& at_plus = probe_at(probing, "encoder.0.resid_after", "+", target);
    EXPECT_EQ(at_plus.accuracy, 1) << target;
    EXPECT_EQ(at_plus.held_out, 1) << target;
    EXPECT_EQ(at_plus.majority, 0.5) << target;
    EXPECT_LT(at_plus.control, 0.85) << target;
    EXPECT_LT(at_plus.untrained, 0.95) << target;
    EXPECT_EQ(probe_at(probing, "encoder.embed.out", "+", target).accuracy, 0.5) << target;
    EXPECT_EQ(probe_at(probing, "encoder.0.self.head.0", "+", target).accuracy, 0.5) << target;
    EXPECT_NEAR(probe_at(probing, "encoder.embed.out", "a1", target).accuracy, 0.5, 0.12) << target;
    const double one_digit = probe_at(probing, "encoder.embed.out", "a0", target).accuracy;
    EXPECT_GT(one_digit, 0.65) << target;
    EXPECT_LT(one_digit, 0.85) << target;
    EXPECT_EQ(probe_at(probing, kReader, "s2", target).accuracy, 1) << target;
  }
  EXPECT_EQ(probe_at(probing, "encoder.0.resid_after", "+", "carry.0").tested % 2, 0);
}

}  // namespace
}  // namespace heddle::testing
