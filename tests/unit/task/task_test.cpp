// Every task is one type: its exams, facets and words, and what a model reads of its questions.
#include "heddle/task/task.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "heddle/config/presets.hpp"
#include "heddle/model/families.hpp"
#include "heddle/model/input.hpp"
#include "heddle/task/addition/addition.hpp"
#include "heddle/task/addition/words.hpp"
#include "heddle/task/registry.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

using Tokens32 = std::vector<std::int32_t>;

Config small(const std::string& task) {
  Config config = preset_of_task("default", task);
  config.train.batch = 10;
  return config;
}

Tokens32 copy_of(std::span<const std::int32_t> words) {
  return {words.begin(), words.end()};
}

class EveryTask : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryTask, AStepDependsOnItsNumberAlone) {
  const auto task = make_task(small(GetParam())), other = make_task(small(GetParam()));
  Questions used, fresh;
  for (const Index step : {3, 1, 7}) task->train_questions(step, used);
  other->train_questions(7, fresh);
  ASSERT_EQ(used.size(), 10);
  ASSERT_EQ(fresh.size(), 10);
  for (Index i = 0; i < used.size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(used[i].input, fresh[i].input));
    EXPECT_TRUE(std::ranges::equal(used[i].output, fresh[i].output));
  }
  EXPECT_EQ(task->data_hash(), other->data_hash());
}

TEST_P(EveryTask, AnswersToItsOwnExamsAreRight) {
  const auto task = make_task(small(GetParam()));
  ASSERT_TRUE(task->has_exam("validation") && task->has_exam("test"));
  for (const std::string& name : task->exam_names()) {
    const auto exam = task->exam(name);
    Questions block, again;
    exam->block(4, 3, block);
    exam->block(5, 1, again);
    ASSERT_EQ(block.size(), 3) << name;
    EXPECT_LE(block.longest_input(0, 3), exam->longest_input()) << name;
    EXPECT_TRUE(std::ranges::equal(block[1].input, again[0].input)) << name;
    EXPECT_EQ(copy_of(block[1].output), task->right_answer(block[1].input)) << name;
  }
}

TEST_P(EveryTask, ReadsWhatItWrites) {
  const auto task = make_task(small(GetParam()));
  const Question question = task->test()[0];
  EXPECT_EQ(task->parse(task->text(question.input)), copy_of(question.input));
  if (!task->shape().labels) {
    EXPECT_EQ(task->parse_answer(task->text(question.output)), copy_of(question.output));
  }
  EXPECT_NO_THROW(task->parse(task->traits().example_input));
}

TEST_P(EveryTask, AnUnknownExamIsNamedWithThoseThereAre) {
  const auto task = make_task(small(GetParam()));
  const std::string said = message_of<UsageError>([&] { task->exam("viva"); });
  EXPECT_NE(said.find("'viva' is no exam of " + task->title()), std::string::npos) << said;
  EXPECT_NE(said.find("accepted is validation, test"), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(Tasks, EveryTask,
                         ::testing::Values("addition", "sortedness", "reverse", "sort", "modular"),
                         [](const auto& each) { return std::string(each.param); });

TEST(SortednessExams, AreNamedByKindLengthAndValues) {
  const auto task = make_task(small("sortedness"));
  Questions plain, windowed;
  task->exam("dip5 at 64")->block(0, 2, plain);
  task->exam("dip5 at 64, windowed")->block(0, 2, windowed);
  EXPECT_EQ(std::ssize(plain[0].input), 64);
  EXPECT_FALSE(std::ranges::equal(plain[0].input, windowed[0].input));
  EXPECT_EQ(plain[0].label(), 1);
  EXPECT_EQ(plain[1].label(), 0);
  for (const char* wrong : {"dip5 at dawn", "sideways at 8", "dip5 at 64, odd"})
    EXPECT_THROW(task->exam(wrong), UsageError) << wrong;
}

/// 475+525: two carries through a nine, and a digit more.
TEST(AdditionFacets, TellCarriesCascadesAndWhatWasSeen) {
  Config config = small("addition");
  const Addition task(config);
  std::vector<Problem> shown;
  task.train_problems(0, shown);
  const auto value_of = [&](Index steps, const Problem& problem) {
    const auto facets = task.facets(steps);
    const Questions one = questions_of(std::span(&problem, 1));
    std::vector<Index> values(facets->list().size());
    facets->values(one[0], values);
    return values;
  };
  EXPECT_EQ(value_of(0, make_problem(475, 525, 3)), (std::vector<Index>{-1, 3, 2, -1, 0}));
  EXPECT_EQ(value_of(0, make_problem(1, 2, 3)), (std::vector<Index>{-1, 0, 0, -1, -1}));
  EXPECT_EQ(value_of(1, commuted(shown[0]))[0], 0);
  EXPECT_FALSE(task.facets(0)->list()[0].known);
  EXPECT_TRUE(task.facets(1)->list()[0].known);
}

struct Said {
  Tokens32 in, wanted, targets;
  bool can_be_right = false;
};

/// What a decoder reads of 07+25 and should say.
Said encoded_sum(BosKind bos, PadKind pad, DigitOrder order) {
  Config config = small("addition");
  config.task.digits = 2;
  config.task.bos = bos;
  config.task.pad = pad;
  config.task.order = order;
  const Problem problem = make_problem(7, 25, 2);
  EncodedQuestions out;
  build_model(config)->encode_questions(questions_of(std::span(&problem, 1)), 0, 1, {}, out);
  EXPECT_EQ(copy_of(out.source_row(0)), (Tokens32{0, 7, kPlus, 2, 5}));
  EXPECT_FALSE(out.padded());
  return {copy_of(out.target_row(0)), out.wanted,
          Tokens32(out.targets(), out.targets() + out.positions()), !out.cannot_be_right(0)};
}

TEST(EncodedQuestions, HaveTheDefectsThatTheShapeSays) {
  const Said sound = encoded_sum(BosKind::token, PadKind::token, DigitOrder::most);
  EXPECT_EQ(sound.in, (Tokens32{kBos, 0, 3, 2}));
  EXPECT_EQ(sound.wanted, (Tokens32{0, 3, 2, kEos}));
  EXPECT_EQ(sound.targets, sound.wanted);
  EXPECT_TRUE(sound.can_be_right);
  const Said least = encoded_sum(BosKind::token, PadKind::token, DigitOrder::least);
  EXPECT_EQ(least.in, (Tokens32{kBos, 2, 3, 0}));
  EXPECT_EQ(least.wanted, (Tokens32{2, 3, 0, kEos}));
  const Said zero = encoded_sum(BosKind::token, PadKind::zero, DigitOrder::most);
  EXPECT_EQ(zero.wanted, sound.wanted);
  EXPECT_EQ(zero.targets, (Tokens32{kNoTarget, 3, 2, kEos}));
  const Said headless = encoded_sum(BosKind::none, PadKind::token, DigitOrder::most);
  EXPECT_EQ(headless.in, (Tokens32{0, 3}));
  EXPECT_EQ(headless.wanted, (Tokens32{3, 2}));
  EXPECT_TRUE(headless.can_be_right);
  const Said backwards = encoded_sum(BosKind::none, PadKind::token, DigitOrder::least);
  EXPECT_EQ(backwards.in, (Tokens32{2, 3}));
  EXPECT_EQ(backwards.wanted, (Tokens32{3, 0}));
  EXPECT_FALSE(backwards.can_be_right);  // decoding says 0 first, and the units are 2
}

TEST(AdditionWords, AnswersReadAsANumber) {
  Config config = small("addition");
  config.task.order = DigitOrder::least;
  EXPECT_EQ(Addition(config).answer_text(Tokens32{8, 8, 1, 1, kEos}), "1188");
  config.task.order = DigitOrder::most;
  EXPECT_EQ(Addition(config).answer_text(Tokens32{1, kBos, 8, kEos, 8}), "1BOS8");
  config.task.bos = BosKind::none;
  EXPECT_EQ(Addition(config).answer_text(Tokens32{1, 8, 8}), "0188");
  EXPECT_EQ(Addition(config).parse_answer("18"), (Tokens32{0, 0, 1, 8}));
  EXPECT_THROW(Addition(config).parse_answer("12345"), UsageError);
}

TEST(Families, AFamilyThatTheTaskCannotHaveIsRefused) {
  Config adder = small("addition"), sorter = small("sortedness");
  adder.model.family = FamilyKind::encoder_decoder;
  EXPECT_NO_THROW(validate(adder));
  adder.model.family = FamilyKind::classifier;
  sorter.model.family = FamilyKind::encoder_decoder;
  EXPECT_EQ(message_of<UsageError>([&] { validate(adder); }),
            "model.family=classifier: addition asks for a sequence; accepted is by-task or "
            "encoder-decoder");
  EXPECT_EQ(message_of<UsageError>([&] { validate(sorter); }),
            "model.family=encoder-decoder: sortedness asks for a label; accepted is by-task or "
            "classifier");
}

TEST(Families, AnEncodingThatTheTaskCannotHaveIsRefused) {
  Config adder = small("addition"), sorter = small("sortedness");
  adder.model.position = PositionKind::rope;
  sorter.model.position = PositionKind::abacus;
  EXPECT_EQ(message_of<UsageError>([&] { validate(adder); }),
            "model.position=rope: addition accepts sinusoidal, learned, none, abacus or coupled");
  EXPECT_NE(message_of<UsageError>([&] { validate(sorter); }).find("model.position=abacus"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::testing
