// The audit's checks of data: leaks, twins, contradictions and balance, planted and not.
#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/base/index.hpp"
#include "heddle/task/file/file_task.hpp"
#include "tests/support/audit_exam.hpp"
#include "tests/support/holds.hpp"
#include "tests/support/tiny_classifier.hpp"
#include "tests/support/tiny_model.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

using Check = AuditCheck;

/// Sums a + b of two small numbers as a file with a split of its own: those with a < b train, the
/// others are asked, so that every twin leaks; `more` lines stand at the end.
class FileExam {
 public:
  explicit FileExam(const std::string& lines, const char* header = "input,output,split") {
    write_file(folder_ / "task.csv", fmt::format("{}\n{}", header, lines));
    Config config = default_config(TaskKind::file);
    config.task.path = folder_ / "task.csv";
    config.model.d_model = 8;
    config.model.d_ff = 8;
    config.model.heads = 2;
    config.model.encoder_layers = config.model.decoder_layers = config.model.layers = 1;
    config.train.batch = 8;
    config.train.steps = 4;
    read_shape(config);
    exam_.emplace(config);
  }
  Check check(const std::string& name) const { return exam_->check(audit_data, name); }
  Check balance() const { return exam_->check(audit_balance, "label balance"); }

 private:
  TempFolder folder_;
  std::optional<AuditExam> exam_;
};

/// Lines "a op b,answer,split" for all a, b < 6.
template <class Answer, class SplitOf>
std::string table(char op, Answer answer, SplitOf split_of) {
  std::string lines;
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < 6; ++b)
      lines += fmt::format("{} {} {},{},{}\n", a, op, b, answer(a, b), split_of(a, b));
  return lines;
}

const auto kSum = [](int a, int b) { return (a + b) % 6; };
/// Both orders in one split.
const auto kByPair = [](int a, int b) {
  const int kind = (a * b + a + b) % 5;
  return kind == 0 ? "test" : (kind == 1 ? "validation" : "train");
};
/// One order trains, the other is asked.
const auto kByOrder = [](int a, int b) {
  return a <= b ? "train" : ((a + b) % 2 == 0 ? "validation" : "test");
};

TEST(AuditData, AnInputInTwoSplitsIsALeak) {
  EXPECT_EQ(FileExam(table('+', kSum, kByPair)).check("split leaks").verdict, Check::kPass);
  const FileExam leaking(table('+', kSum, kByPair) + "0 + 0,0,train\n0 + 0,0,test\n");
  const Check check = leaking.check("split leaks");
  EXPECT_EQ(check.verdict, Check::kFail);
  EXPECT_EQ(evidence_of(check, "example"), "0 + 0");
}

TEST(AuditData, CommutedTwinsAreFoundWhereOrderDoesNotMatter) {
  EXPECT_EQ(FileExam(table('+', kSum, kByPair)).check("commuted twins").verdict, Check::kPass);
  const Check check = FileExam(table('+', kSum, kByOrder)).check("commuted twins");
  EXPECT_EQ(check.verdict, Check::kFail);
  EXPECT_TRUE(holds(check.finding, "(100.00 %)")) << check.finding;
  const std::string example = evidence_of(check, "example");  // "4 + 1 is asked, 1 + 4 trains"
  ASSERT_EQ(example.size(), std::string("4 + 1 is asked, 1 + 4 trains").size()) << example;
  EXPECT_TRUE(holds(example, fmt::format(" is asked, {} + {} trains", example[4], example[0])))
      << example;
  const auto difference = [](int a, int b) { return (a - b + 6) % 6; };
  const Check minus = FileExam(table('-', difference, kByOrder)).check("commuted twins");
  EXPECT_EQ(minus.verdict, Check::kNotApplicable);
  EXPECT_TRUE(holds(minus.finding, "order matters"));
}

TEST(AuditData, AdditionHoldsOutTwins) {
  AuditExam exam(tiny_config());
  for (const char* name : {"split leaks", "commuted twins", "contradictions"})
    EXPECT_EQ(exam.check(audit_data, name).verdict, Check::kPass) << name;
  Index uneven = 0;  // an a + b that is not its own twin
  while (exam.task().test()[uneven].input.front() == exam.task().test()[uneven].input.back())
    ++uneven;
  const Question tested = exam.task().test()[uneven];
  const std::vector<std::int32_t> twin(tested.input.rbegin(), tested.input.rend());
  exam.data.train.add(twin, tested.output);
  EXPECT_EQ(exam.check(audit_data, "split leaks").verdict, Check::kPass);
  EXPECT_EQ(exam.check(audit_data, "commuted twins").verdict, Check::kFail);
  exam.data.train.add(tested.input, tested.output);
  EXPECT_EQ(exam.check(audit_data, "split leaks").verdict, Check::kFail);
}

/// What is met by chance fails only if the others score less.
TEST(AuditData, ChanceMeetingsCountWhereTheyRaiseTheScore) {
  AuditExam exam(tiny_sorter(PositionKind::alibi, PoolingSetting::max));
  for (Index i = 0; i < exam.task().test().size() / 2; ++i)
    exam.data.train.add(exam.task().test()[i].input, exam.task().test()[i].output);
  const Check same = exam.check(audit_data, "split leaks");
  EXPECT_EQ(same.verdict, Check::kPass);
  EXPECT_TRUE(holds(same.finding, "by chance"));
  for (Index i = exam.asked.size / 2; i < exam.asked.size; ++i)
    exam.answers.right[to_size(i)] = i % 2 == 0 ? 1 : 0;
  EXPECT_EQ(exam.check(audit_data, "split leaks").verdict, Check::kFail);
}

/// Two tokens without an operator are two operands too.
TEST(AuditData, TwinsOfModularPairsAreFound) {
  Config config = default_config(TaskKind::modular);
  config.task.modulus = 11;
  config.model.d_model = config.model.d_ff = 8;
  config.train.steps = 4;
  AuditExam exam(config);
  const Check sound = exam.check(audit_data, "commuted twins");
  EXPECT_EQ(sound.verdict, Check::kPass) << sound.finding;
  for (Index i = 0; i < exam.task().test().size(); ++i) {
    const auto input = exam.task().test()[i].input;
    const std::vector<std::int32_t> twin(input.rbegin(), input.rend());
    exam.data.train.add(twin, exam.task().test()[i].output);
  }
  const Check check = exam.check(audit_data, "commuted twins");
  EXPECT_EQ(check.verdict, Check::kFail);
  EXPECT_NE(evidence_of(check, "right among the others"), "");
}

TEST(AuditData, TwoAnswersToOneInputAreAContradiction) {
  const Check none = FileExam(table('+', kSum, kByPair)).check("contradictions");
  EXPECT_EQ(none.verdict, Check::kPass);
  const Check check =
      FileExam(table('+', kSum, kByPair) + "0 + 1,5,train\n").check("contradictions");
  EXPECT_EQ(check.verdict, Check::kFail);
  EXPECT_TRUE(holds(evidence_of(check, "example"), "0 + 1 → ")) << evidence_of(check, "example");
}

TEST(AuditBalance, ExactlyHalfMustBeSorted) {
  Config config = tiny_sorter(PositionKind::alibi, PoolingSetting::max);
  EXPECT_EQ(AuditExam(config).check(audit_balance, "label balance").verdict, Check::kPass);
  config.task.source = DataSource::fixed;  // by the flip of a coin
  const Check coin = AuditExam(config).check(audit_balance, "label balance");
  EXPECT_EQ(coin.verdict, Check::kFail);
  EXPECT_TRUE(holds(coin.meaning, "coin"));
}

TEST(AuditBalance, NegativesWithManyDescentsAreTooEasy) {
  Config config = tiny_sorter(PositionKind::alibi, PoolingSetting::max);
  config.task.lengths = "8-16";
  config.task.kinds = "adjacent,distant";
  EXPECT_EQ(AuditExam(config).check(audit_balance, "hard negatives").verdict, Check::kPass);
  config.task.kinds = "shuffle";
  EXPECT_EQ(AuditExam(config).check(audit_balance, "hard negatives").verdict, Check::kFail);
}

/// 400 lines of which every fourth is asked; `says_no` decides the label by the line's number.
template <class SaysNo>
std::string labelled(SaysNo says_no) {
  std::string text;
  for (int i = 0; i < 400; ++i)
    text +=
        fmt::format("w{} w{} w{},{},{}\n", i % 10, i / 10 % 10, i / 100, says_no(i) ? "no" : "yes",
                    i % 4 == 0 ? "test" : (i % 4 == 1 ? "validation" : "train"));
  return text;
}

TEST(AuditBalance, ATestOfNearlyOneLabelFails) {
  const auto balance = [](auto says_no) {
    return FileExam(labelled(says_no), "input,label,split").balance();
  };
  EXPECT_EQ(balance([](int i) { return i % 3 == 0; }).verdict, Check::kPass);
  const Check check = balance([](int i) { return i % 37 == 0; });
  EXPECT_EQ(check.verdict, Check::kFail);
  EXPECT_TRUE(holds(check.meaning, "yes"));
  // Half of what is asked, and a fifth of what trains.
  const Check shifted = balance([](int i) { return i % 8 == 0 || i % 5 == 1; });
  EXPECT_EQ(shifted.verdict, Check::kNote) << shifted.finding;
}

}  // namespace
}  // namespace heddle::testing
