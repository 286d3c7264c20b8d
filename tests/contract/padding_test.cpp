// Padding changes nothing: an example says the same alone and among longer ones, and what stands on
// padding has no part in a head's mean output.
#include <gtest/gtest.h>

#include "heddle/lens/heads.hpp"
#include "heddle/task/registry.hpp"
#include "tests/support/questions.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

Config tiny_words(TaskKind task) {
  Config config = default_config(task);
  config.task.lengths = "2-7";
  config.task.symbols = 9;
  config.model.d_model = 16;
  config.model.d_ff = 24;
  config.model.heads = 2;
  return config;
}

Member perturbed_for_padding(const Config& config) {
  Member member = make_member(config);
  perturb(member.weights);
  member.weights.pack();
  return member;
}

Tensor padded_logits_of(const Member& member, const EncodedQuestions& set) {
  Pass run(member.weights);
  return member.model->forward(run, set.all()).value;
}

/// The first examples of the test that have this many words, and one of each length.
Questions mixed(const Task& task) {
  Questions list;
  for (std::size_t length = 2; length <= 7; ++length)
    for (Index i = 0; i < task.test().size(); ++i) {
      if (task.test()[i].input.size() != length) continue;
      list.add(task.test()[i].input, task.test()[i].output);
      break;
    }
  return list;
}

class Padding : public ::testing::TestWithParam<TaskKind> {};

TEST_P(Padding, AnExampleSaysTheSameAloneAndAmongLongerOnes) {
  const Config config = tiny_words(GetParam());
  const Member member = perturbed_for_padding(config);
  const auto task = make_task(config);
  const Questions list = mixed(*task);
  ASSERT_EQ(list.size(), 6);
  const EncodedQuestions all = encoded(member, list);
  EXPECT_TRUE(all.padded());
  const Tensor together = padded_logits_of(member, all);
  for (Index i = 0; i < list.size(); ++i) {
    const EncodedQuestions one = encoded(member, some_of(list, i, 1));
    EXPECT_FALSE(one.padded());
    EXPECT_EQ(all.used(Stream::source, i), one.source_length);
    EXPECT_EQ(all.used(Stream::target, i), one.target_length);
    const Tensor alone = padded_logits_of(member, one);
    const Index row = together.size() / list.size();
    EXPECT_EQ(std::memcmp(together.data<float>() + i * row, alone.data<float>(), alone.bytes()), 0)
        << "length " << one.source_length;
  }
}

/// The mean at a position is that of the examples that have it: an unpadded set of only those gives
/// the same numbers.
TEST_P(Padding, HasNoPartInAMean) {
  const Config config = tiny_words(GetParam());
  const Member member = perturbed_for_padding(config);
  const auto task = make_task(config);
  Questions all, longest;
  for (const std::size_t length : {3U, 7U})
    for (Index i = 0; i < task->test().size() && all.size() < (length == 3 ? 5 : 9); ++i) {
      const Question example = task->test()[i];
      if (example.input.size() != length) continue;
      all.add(example.input, example.output);
      if (length == 7) longest.add(example.input, example.output);
    }
  ASSERT_EQ(all.size(), 9);
  Team team(1);
  const HeadOutputs mixed_means(member, encoded(member, all), team),
      long_means(member, encoded(member, longest), team);
  for (const Head& head : heads_of(member)) {
    const bool encoder = member.model->taps()[head.z].stream == Stream::source;
    const Index last = mixed_means.positions(head) - 1, shared = encoder ? 2 : 3;
    EXPECT_EQ(mixed_means.share(head, shared), 1);
    EXPECT_EQ(mixed_means.share(head, last), 4.0 / 9);
    for (Index k = 0; k < config.model.d_head(); ++k) {
      EXPECT_EQ(mixed_means.mean(head, last)[k], long_means.mean(head, last)[k]) << head.name;
      // On padding stands the mean, so that a resampled head never speaks of nothing.
      EXPECT_EQ(mixed_means.at(head, 0, last)[k], mixed_means.mean(head, last)[k]) << head.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tasks, Padding, ::testing::Values(TaskKind::reverse, TaskKind::sort),
                         [](const auto& row) { return field_text(row.param); });

}  // namespace
}  // namespace heddle::testing
