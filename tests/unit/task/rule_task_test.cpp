// Tasks that follow a rule: what is asked never trains, whatever the seed and the step.
#include "heddle/task/rules/rule_task.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "heddle/task/registry.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

using Key = std::vector<std::int32_t>;

Config short_task(TaskKind task, std::uint64_t seed = 1) {
  Config config = default_config(task);
  config.task.lengths = "2-4";
  config.task.symbols = 6;
  config.task.modulus = 7;
  config.train.batch = 64;
  config.seed = seed;
  return config;
}

std::set<Key> inputs_of(const Questions& list) {
  std::set<Key> inputs;
  for (Index i = 0; i < list.size(); ++i)
    inputs.emplace(list[i].input.begin(), list[i].input.end());
  return inputs;
}

bool share_any(const std::set<Key>& a, const std::set<Key>& b) {
  return std::ranges::any_of(a, [&](const Key& key) { return b.contains(key); });
}

std::set<Key> trained_on(const Task& task, Index steps) {
  std::set<Key> seen;
  Questions list;
  for (Index step = 0; step < steps; ++step) {
    task.train_questions(step, list);
    EXPECT_EQ(list.size(), task.batch());
    seen.merge(inputs_of(list));
  }
  return seen;
}

class RuleData : public ::testing::TestWithParam<TaskKind> {};

/// Of 1,548 sequences, or 49 pairs, a few hundred steps meet nearly all that are not held out.
TEST_P(RuleData, WhatIsAskedNeverTrains) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const auto task = make_task(short_task(GetParam(), seed));
    const std::set<Key> validation = inputs_of(task->validation()), test = inputs_of(task->test());
    EXPECT_EQ(std::ssize(validation), task->validation().size());
    EXPECT_EQ(std::ssize(test), task->test().size());
    EXPECT_GT(test.size(), 3U);
    EXPECT_FALSE(share_any(validation, test));
    const std::set<Key> trained = trained_on(*task, 300);
    EXPECT_FALSE(share_any(trained, validation));
    EXPECT_FALSE(share_any(trained, test));
    EXPECT_GT(trained.size(), test.size());
  }
}

TEST_P(RuleData, EveryAnswerIsTheRules) {
  const auto task = make_task(short_task(GetParam()));
  for (Index i = 0; i < task->test().size(); ++i) {
    const Question example = task->test()[i];
    Key wanted(example.input.begin(), example.input.end());
    if (GetParam() == TaskKind::reverse) std::ranges::reverse(wanted);
    if (GetParam() == TaskKind::sort) std::ranges::sort(wanted);
    if (GetParam() == TaskKind::modular) wanted = {(wanted[0] + wanted[1]) % 7};
    EXPECT_TRUE(std::ranges::equal(example.output, wanted));
    EXPECT_EQ(task->right_answer(example.input), wanted);
  }
}

TEST_P(RuleData, TheSameSeedGivesTheSameData) {
  const auto a = make_task(short_task(GetParam())), b = make_task(short_task(GetParam())),
             other = make_task(short_task(GetParam(), 9));
  EXPECT_EQ(a->data_hash(), b->data_hash());
  EXPECT_NE(a->data_hash(), other->data_hash());
  Questions here, there;
  a->train_questions(5, here);  // whatever was drawn before
  b->train_questions(77, there);
  b->train_questions(5, there);
  for (Index i = 0; i < here.size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(here[i].input, there[i].input));
    EXPECT_TRUE(std::ranges::equal(here[i].output, there[i].output));
  }
}

INSTANTIATE_TEST_SUITE_P(Tasks, RuleData,
                         ::testing::Values(TaskKind::reverse, TaskKind::sort, TaskKind::modular),
                         [](const auto& row) { return field_text(row.param); });

/// Whoever learned a b by heart knows b a.
TEST(RuleTask, BothOrdersOfAPairShareASplit) {
  const auto task = make_task(short_task(TaskKind::modular));
  for (const Questions* list : {&task->validation(), &task->test()})
    for (const std::set<Key> inputs = inputs_of(*list); const Key& pair : inputs)
      EXPECT_TRUE(inputs.contains(Key{pair[1], pair[0]}));
}

TEST(RuleTask, EveryPairIsInOneSplit) {
  const auto task = make_task(short_task(TaskKind::modular));
  std::set<Key> all = trained_on(*task, 20);
  EXPECT_EQ(std::ssize(all), task->train_size());
  all.merge(inputs_of(task->validation()));
  all.merge(inputs_of(task->test()));
  EXPECT_EQ(all.size(), 49U);
}

TEST(RuleTask, TooFewInputsAreRefused) {
  Config config = short_task(TaskKind::reverse);
  config.task.lengths = "2-3";
  config.task.symbols = 2;
  EXPECT_EQ(message_of<UsageError>([&] { make_task(config); }),
            "this task has 12 different inputs: accepted is settings with at least 100");
  config = short_task(TaskKind::modular);
  config.task.modulus = 2;
  config.task.train_share = 0.9;
  EXPECT_EQ(message_of<UsageError>([&] { make_task(config); }),
            "3 groups of inputs of which 2 train leave nothing to ask: accepted is at least 2 "
            "others");
}

TEST(RuleTask, WordsAreReadAndWritten) {
  const auto task = make_task(short_task(TaskKind::reverse));
  EXPECT_EQ(task->parse("3 1 4"), (Key{3, 1, 4}));
  EXPECT_EQ(task->text(Key{4, 1, 3, task->shape().eos(), 5}), "4 1 3");
  EXPECT_THROW(task->parse("3 6"), UsageError);        // 0 … 5 are its words
  EXPECT_THROW(task->parse("1 2 3 4 5"), UsageError);  // longer than any that trains
}

}  // namespace
}  // namespace heddle
