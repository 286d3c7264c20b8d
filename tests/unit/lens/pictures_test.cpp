// Averages of attention are what a plain loop over single answers gives.
#include "heddle/lens/pictures.hpp"

#include <map>

#include <gtest/gtest.h>

#include "heddle/lens/addition/average_pictures.hpp"
#include "heddle/lens/answer.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/task/addition/addition.hpp"
#include "heddle/task/addition/carries.hpp"
#include "tests/support/print_json.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

Member restless_member(int digits) {
  Config config = tiny_config();
  config.task.digits = digits;
  Member member = make_member(config);
  perturb(member.weights);
  member.weights.pack();
  return member;
}

Answer answer_to(const Member& member, const Task& task, const Problem& problem, Team& team) {
  return answer_question(member, task, problem_text(problem), "", team);
}

std::string class_of(const Problem& problem) {
  const int count = carries_of(problem).count;
  return std::to_string(count) + (count == 1 ? " carry" : " carries");
}

TEST(Pictures, AveragesAreMeansOfSingleAnswers) {
  const Member member = restless_member(3);
  const std::vector<Problem> problems = some_problems(3, 450);
  const Addition task(member.config);
  Team team(2);
  std::map<std::string, std::map<std::string, std::vector<double>>> sums;  // class, module
  std::map<std::string, int> counts;
  for (const Problem& problem : problems)
    for (const std::string& name : {std::string("all"), class_of(problem)}) {
      ++counts[name];
      for (const AttentionMap& map : answer_to(member, task, problem, team).seen.attention) {
        std::vector<double>& sum = sums[name][map.module];
        sum.resize(map.weights.size());
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(map.weights[i]);
      }
    }
  const auto pictures = average_pictures(member, problems, team);
  ASSERT_EQ(pictures.size(), counts.size());
  EXPECT_EQ(pictures[0].name, "all");
  EXPECT_EQ(pictures[2].name, "1 carry");
  for (const AttentionPicture& picture : pictures) {
    EXPECT_EQ(picture.problems, counts[picture.name]);
    ASSERT_EQ(picture.modules.size(), 3U);
    for (const AttentionGrid& grid : picture.modules) {
      const std::vector<double>& sum = sums[picture.name][grid.module];
      ASSERT_EQ(grid.weights.size(), sum.size());
      for (std::size_t i = 0; i < sum.size(); ++i)
        EXPECT_NEAR(grid.weights[i], sum[i] / counts[picture.name], 0.5001e-4);
    }
  }
}

TEST(Pictures, AxesArePlaces) {
  Config config = tiny_config();
  config.task.digits = 2;
  const auto axes = [&] {
    Team team(1);
    return average_pictures(make_member(config), some_problems(2, 5), team)[0];
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(axes().source, (Texts{"a1", "a0", "+", "b1", "b0"}));
  EXPECT_EQ(axes().target, (Texts{"BOS", "s2", "s1", "s0"}));
  config.task.order = DigitOrder::least;
  EXPECT_EQ(axes().target, (Texts{"BOS", "s0", "s1", "s2"}));
  config.task.bos = BosKind::none;
  EXPECT_EQ(axes().target, (Texts{"s0", "s1"}));
  config.task.order = DigitOrder::most;
  EXPECT_EQ(axes().target, (Texts{"s2", "s1"}));
}

TEST(Pictures, AnExampleIsTheAnswerRounded) {
  const Member member = restless_member(3);
  const Problem problem = make_problem(374, 814, 3);
  Team team(1);
  const Answer answer = answer_to(member, Addition(member.config), problem, team);
  const AttentionPicture picture = picture_of(answer);
  EXPECT_EQ(picture.name, "374+814");
  EXPECT_EQ(picture.output, answer.output);
  EXPECT_EQ(picture.expected, "1188");
  EXPECT_EQ(picture.source, (std::vector<std::string>{"3", "7", "4", "+", "8", "1", "4"}));
  EXPECT_EQ(picture.target.at(0), "BOS");
  EXPECT_EQ(picture.target.size(), 5U);
  ASSERT_EQ(picture.modules.size(), answer.seen.attention.size());
  for (std::size_t m = 0; m < picture.modules.size(); ++m) {
    const AttentionGrid& grid = picture.modules[m];
    EXPECT_EQ(grid.module, answer.seen.attention[m].module);
    ASSERT_EQ(grid.weights.size(), answer.seen.attention[m].weights.size());
    for (std::size_t i = 0; i < grid.weights.size(); ++i) {
      EXPECT_NEAR(grid.weights[i], static_cast<double>(answer.seen.attention[m].weights[i]),
                  0.5001e-4);
      EXPECT_LT(std::abs(grid.weights[i] * 1e4 - std::round(grid.weights[i] * 1e4)), 1e-8);
    }
  }
}

TEST(Pictures, SameBitsForAnyTeam) {
  const Member member = restless_member(2);
  const std::vector<Problem> problems = some_problems(2, 3000);
  Team one(1);
  const Json alone = to_tree(average_pictures(member, problems, one));
  for (const int threads : {2, 3}) {
    Team team(threads);
    EXPECT_EQ(to_tree(average_pictures(member, problems, team)), alone) << threads;
  }
}

TEST(Pictures, ExamplesShowEveryKindOfCarry) {
  std::vector<std::string> texts;
  for (const Problem& problem : example_problems(3)) texts.push_back(problem_text(problem));
  EXPECT_EQ(texts, (std::vector<std::string>{"374+814", "123+425", "127+358", "347+258", "456+544",
                                             "999+001", "450+549"}));
  for (const int digits : {2, 5, 20}) {
    const std::vector<Problem> examples = example_problems(digits);
    ASSERT_EQ(examples.size(), 7U) << digits;
    const auto carries = [&](std::size_t i) { return carries_of(examples[i]); };
    EXPECT_TRUE(carries(0).top && carries(0).count == 1);
    EXPECT_EQ(carries(1).count, 0);
    EXPECT_EQ(carries(2).count, 1);
    EXPECT_EQ(carries(3).cascade, 1);
    EXPECT_EQ(carries(4).cascade, digits - 1);
    EXPECT_EQ(carries(5).cascade, digits - 1);
    EXPECT_EQ(carries(6).count, 0);
  }
  EXPECT_EQ(example_problems(1).size(), 6U);
}

}  // namespace
}  // namespace heddle::testing
