// The examples of the pages docs/add_*.md do what the pages say; cmake/docs_examples.cmake makes
// files of them.
#include <algorithm>

#include <gtest/gtest.h>

#include "heddle/autograd/gradcheck.hpp"
#include "heddle/lens/costs/costs.hpp"
#include "heddle/lens/heads.hpp"
#include "heddle/ops/square.hpp"
#include "heddle/task/addition/words.hpp"
#include "heddle/task/rules/rule_task.hpp"
#include "tests/support/planted.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle {
Rule copy_rule(const TaskConfig& task);
}  // namespace heddle

namespace heddle::testing {
namespace {

TEST(DocsExamples, CopyIsATask) {
  Config config = default_config(TaskKind::reverse);  // whose settings it shares
  config.train.batch = 50;
  const RuleTask task(config, copy_rule(config.task));
  Questions questions;
  task.train_questions(7, questions);
  ASSERT_EQ(questions.size(), 50);
  for (Index i = 0; i < questions.size(); ++i)
    EXPECT_TRUE(std::ranges::equal(questions[i].input, questions[i].output));
  EXPECT_EQ(task.validation().size(), RuleTask::kHeldOut);
  const std::vector<std::int32_t> input = task.parse("3 1 4 1");
  EXPECT_EQ(task.text(*task.right_answer(input)), "3 1 4 1");
}

TEST(DocsExamples, SquareHasItsGradient) {
  const std::vector<Tensor> x{random_tensor({1}, "x")};
  const double at = *x[0].data<double>();
  const auto squared = [](std::span<const Var> leaves) { return square(leaves[0]); };
  EXPECT_DOUBLE_EQ(*square(Var{x[0]}).value.data<double>(), at * at);
  EXPECT_LE(gradcheck(x, squared), 1e-9);
}

TEST(DocsExamples, HeadCostsFindThePlantedHeads) {
  const Member member = planted_adder();
  const std::vector<Problem> problems = some_problems(2, 500);
  Team team(2);
  const std::vector<HeadCost> costs = head_costs(member, questions_of(problems), team);
  ASSERT_EQ(costs.size(), heads_of(member).size());
  for (const HeadCost& cost : costs) {
    const bool column = cost.head == "decoder.0.cross.head.0";
    const bool carry =
        cost.head == "decoder.0.cross.head.1" || cost.head == "encoder.0.self.head.1";
    const auto right = std::ranges::count_if(
        problems, [&](const Problem& problem) { return planted_right(problem, !column, !carry); });
    EXPECT_DOUBLE_EQ(cost.drop, 1 - static_cast<double>(right) / 500) << cost.head;
    EXPECT_LE(cost.low, cost.drop);
    EXPECT_GE(cost.high, cost.drop);
  }
}

}  // namespace
}  // namespace heddle::testing
