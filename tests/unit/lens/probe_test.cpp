// Probes: which problems fit and score them, and what they find in any model.
#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/lens/addition/carry_probes.hpp"
#include "heddle/lens/addition/probe_plan.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/task/addition/carries.hpp"
#include "heddle/task/addition/carry_balance.hpp"
#include "heddle/task/addition/splits.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

Config probe_config() {
  Config config = tiny_config();
  config.task.digits = 3;
  return config;
}

std::pair<int, int> pair_at(const Problem& problem, std::size_t column) {
  return std::minmax({static_cast<int>(problem.a[column]), static_cast<int>(problem.b[column])});
}

TEST(ProbeProblems, SumsAreEvenAndNinesCommon) {
  Rng rng(1, "even");
  std::array<double, 19> share{};
  constexpr int kDraws = 40000;
  for (int i = 0; i < kDraws; ++i) {
    const Problem problem = draw_even_sums(rng, 2);
    for (const std::size_t column : {0U, 1U})
      share[to_size(problem.a[column] + problem.b[column])] += 0.5 / kDraws;
  }
  for (std::size_t sum = 0; sum < share.size(); ++sum)
    EXPECT_NEAR(share[sum], 0.75 / 19 + (sum == 9 ? 0.25 : 0), 0.005) << sum;
}

TEST(ProbeProblems, NoPairTwice) {
  const Config config = probe_config();
  const ProbeProblems problems = draw_probe_problems(config, 500, 400);
  ASSERT_EQ(problems.train.size(), 500U);
  ASSERT_EQ(problems.test.size(), 400U);
  PairSet seen;
  for (const Problem& problem : problems.train) EXPECT_TRUE(seen.insert(problem));
  for (const Problem& problem : problems.test) EXPECT_TRUE(seen.insert(problem));
  Config fixed = config;
  fixed.task.source = DataSource::fixed;
  for (const Problem& problem : draw_probe_problems(fixed, 100, 100).train)
    EXPECT_TRUE(problem.a[2] > 0 && problem.b[2] > 0);
  Config one = config;
  one.task.digits = 1;  // 55 pairs in all
  EXPECT_EQ(draw_probe_problems(one, 40, 100).test.size(), 15U);
}

/// Each question: as many yes as no; its rows are test problems; held-out digit pairs are in no
/// fit.
TEST(ProbePlan, QuestionsAreBalancedAndHeldOutPairsAreHeldOut) {
  const Config config = probe_config();
  const ProbeProblems problems = draw_probe_problems(config, 800, 700);
  const ProbePlan plan(config, problems, {});
  ASSERT_EQ(plan.samples().size(), 3U);
  EXPECT_EQ(plan.targets(), 5U);
  const auto problem = [&](Index i) { return plan.problems()[to_size(i)]; };
  for (std::size_t s = 0; s < plan.samples().size(); ++s)
    for (const ProbeTarget& target : plan.samples()[s].targets) {
      EXPECT_EQ(target.controls.size(), 10U);
      std::vector<ProbeQuestion> questions = target.controls;
      questions.push_back(target.carry);
      questions.push_back(target.held_out);
      for (const ProbeQuestion& question : questions) {
        ASSERT_FALSE(question.test.empty());
        std::size_t yes = 0;
        for (const Index i : question.test) {
          EXPECT_GE(i, 800);
          yes += question.yes[plan.class_of(i, target.column)] ? 1U : 0U;
          EXPECT_TRUE(s == 0 || problem(i).a[s] + problem(i).b[s] == 9);
        }
        EXPECT_EQ(2 * yes, question.test.size());
      }
      for (const Index i : target.carry.test)
        EXPECT_EQ(target.carry.yes[plan.class_of(i, target.column)],
                  carries_of(problem(i)).out[target.column]);
      const std::set<Index> kept_out(target.kept_out.begin(), target.kept_out.end());
      std::set<std::pair<int, int>> fitted;
      for (const Index i : plan.samples()[s].train)
        if (!kept_out.contains(i)) fitted.insert(pair_at(problem(i), target.column));
      for (const Index i : target.held_out.test)
        EXPECT_FALSE(fitted.contains(pair_at(problem(i), target.column)));
      EXPECT_GT(fitted.size(), 30U);
    }
  EXPECT_EQ(plan.samples()[2].targets[0].name, "carry_in.2 | sum 9");
  EXPECT_EQ(plan.samples()[2].targets[0].column, 1U);
}

/// Before anything has been mixed a digit knows itself alone: its own column's carry can be
/// guessed, no other, and a constant position says nothing at all.
TEST(Probe, WhereNothingCanBeKnownProbesGuess) {
  const Member member = make_member(probe_config());
  Team team(2);
  const Probing probing =
      probe_member(member, draw_probe_problems(member.config, 1500, 1500), {.heads = false}, team);
  EXPECT_EQ(probing.trained_on, 1500);
  EXPECT_EQ(probing.probes.size(), (7U + 7U + 5U) * 5U);
  for (const ProbeResult& probe : probing.probes) {
    EXPECT_LE(probe.low, probe.accuracy);
    EXPECT_GE(probe.high, probe.accuracy);
    if (probe.tap != "encoder.embed.out" || !probe.target.starts_with("carry.")) continue;
    const char column = probe.target.back();
    if (probe.token == "+") {
      EXPECT_EQ(probe.accuracy, 0.5);
    } else if (probe.token.back() > column) {  // the columns above decide nothing
      EXPECT_NEAR(probe.accuracy, 0.5, 0.06) << probe.token << ' ' << probe.target;
    } else if (probe.token.back() == column) {
      EXPECT_GT(probe.accuracy, 0.65) << probe.token << ' ' << probe.target;
    }
  }
}

/// Fitted on held-out digit pairs and nothing else, a probe knows something; without them it has
/// nothing to be fitted on and guesses.
TEST(Probe, HeldOutPairsAreTakenOutOfTheFit) {
  Config config = tiny_config();
  config.task.digits = 2;
  config.model.d_model = 16;
  const Member member = make_member(config);
  ProbeProblems problems = draw_probe_problems(config, 1500, 1000);
  const ProbePlan plan(config, problems, {});
  std::vector<Problem> held;
  for (const Index i : plan.samples()[0].targets[0].kept_out)
    held.push_back(plan.problems()[to_size(i)]);
  problems.train = held;
  Team team(2);
  const Probing probing = probe_member(member, problems, {.heads = false}, team);
  const auto at = std::ranges::find_if(probing.probes, [](const ProbeResult& probe) {
    return probe.tap == "encoder.embed.out" && probe.token == "a0" && probe.target == "carry.0";
  });
  EXPECT_GT(at->accuracy, 0.6);
  EXPECT_EQ(at->held_out, 0.5);
}

TEST(Probe, BitsDoNotDependOnThreads) {
  const Member member = make_member(probe_config());
  const ProbeProblems problems = draw_probe_problems(member.config, 200, 150);
  std::vector<std::string> texts;
  for (const int threads : {1, 2, 3}) {
    Team team(threads);
    texts.push_back(to_tree(probe_member(member, problems, {}, team)).dump());
  }
  EXPECT_EQ(texts[1], texts[0]);
  EXPECT_EQ(texts[2], texts[0]);
}

TEST(Probe, ScoresWithoutProblemsOfAKindAreNone) {
  Config config = tiny_config();  // one digit: the carry is the whole answer
  const Member member = make_member(config);
  ProbeProblems problems;
  problems.train = {make_problem(1, 2, 1), make_problem(3, 3, 1)};
  problems.test = {make_problem(2, 2, 1)};
  Team team(1);
  for (const ProbeResult& probe : probe_member(member, problems, {}, team).probes) {
    EXPECT_TRUE(std::isnan(probe.accuracy));
    EXPECT_EQ(probe.tested, 0);
  }
  problems.test.clear();
  EXPECT_THROW(probe_member(member, problems, {}, team), UsageError);
}

}  // namespace
}  // namespace heddle::testing
