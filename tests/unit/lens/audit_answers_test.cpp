// The audit's checks of answers and numbers: each with a planted defect, and without.
#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/config/presets.hpp"
#include "heddle/model/classifier/hand_built.hpp"
#include "tests/support/audit_exam.hpp"
#include "tests/support/holds.hpp"
#include "tests/support/tiny_model.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

using Check = AuditCheck;

/// Three digits as the reports had them: 2,000 test problems of 100 to 999.
Config three_digits() {
  Config config = tiny_config();
  config.task.digits = 3;
  config.task.source = DataSource::fixed;
  config.train.batch = 64;
  return config;
}

Config sorter() {
  Config config = hand_built_config();
  config.train.steps = 4;
  return config;
}

TEST(AuditAnswers, ForcedAndGreedyMustAgreeQuestionByQuestion) {
  AuditExam exam(tiny_config());
  EXPECT_EQ(exam.check(audit_answers, "forced = greedy").verdict, Check::kPass);
  // Both wrong everywhere: the identity holds at any accuracy.
  for (auto* list : {&exam.answers.forced_right, &exam.answers.right})
    std::ranges::fill(*list, std::uint8_t{0});
  EXPECT_EQ(exam.check(audit_answers, "forced = greedy").verdict, Check::kPass);
  exam.answer_rightly();
  std::vector<std::int32_t> wrong(exam.asked.wanted_row(1).begin(), exam.asked.wanted_row(1).end());
  wrong[1] = (wrong[1] + 1) % 10;
  exam.say(1, wrong, false);
  const Check differs = exam.check(audit_answers, "forced = greedy");
  EXPECT_EQ(differs.verdict, Check::kFail);
  EXPECT_TRUE(holds(evidence_of(differs, "first such question"),
                    exam.task().text(exam.task().test()[1].input)));
  exam.answers.tie[to_size(exam.answers.positions + 1)] = 1;
  EXPECT_EQ(exam.check(audit_answers, "forced = greedy").verdict, Check::kPass);
}

/// A decoder that goes wrong only where keys are cached, found by asking it.
TEST(AuditAnswers, ADecoderThatCachesWronglyIsFound) {
  AuditExam exam(tiny_config());
  Edits edits(exam.member.model->taps());
  edits.on("decoder.0.resid_after", [](const TapSite& site, const Var& x) {
    return site.offset == 0 ? x : zeroing()(site, x);
  });
  Team team(1);
  exam.answers = ask(exam.member, exam.asked, &edits, team);
  const AuditAnswers sound = ask(exam.member, exam.asked, nullptr, team);
  EXPECT_EQ(exam.answers.forced, sound.forced);
  EXPECT_NE(exam.answers.said, sound.said);
  EXPECT_EQ(sound.forced_right, sound.right);
}

TEST(AuditAnswers, AStartThatCountsAsOutputIsNamed) {
  Config config = three_digits();
  const AuditExam sound(config);
  for (const char* name : {"start token", "loss covers the answer", "constant first token"})
    EXPECT_EQ(sound.check(audit_answers, name).verdict, Check::kPass) << name;
  config.task.bos = BosKind::none;
  AuditExam exam(config);
  for (Index row = 0; row < exam.asked.size; ++row)
    exam.answers.right[to_size(row)] = exam.asked.cannot_be_right(row) ? 0 : 1;
  const Check start = exam.check(audit_answers, "start token");
  EXPECT_EQ(start.verdict, Check::kFail);
  EXPECT_TRUE(holds(start.advice, "task.bos=token"));
  EXPECT_TRUE(holds(exam.check(audit_answers, "loss covers the answer").finding, "25.00 %"));
  EXPECT_EQ(exam.check(audit_answers, "constant first token").verdict, Check::kFail);
  const Check identity = exam.check(audit_answers, "forced = greedy");
  EXPECT_EQ(identity.verdict, Check::kFail);
  EXPECT_TRUE(holds(evidence_of(identity, "first such question"), "forced says [1]"));
}

TEST(AuditAnswers, ADigitWithoutLossIsNamed) {
  Config config = three_digits();
  config.task.pad = PadKind::zero;
  AuditExam exam(config);
  const Check loss = exam.check(audit_answers, "loss covers the answer");
  EXPECT_EQ(loss.verdict, Check::kFail);
  EXPECT_NE(evidence_of(loss, "0 without loss"), "");
  EXPECT_EQ(exam.check(audit_answers, "tokens never said").verdict, Check::kPass);
  std::ranges::replace(exam.answers.said, 0, 7);
  const Check never = exam.check(audit_answers, "tokens never said");
  EXPECT_EQ(never.verdict, Check::kFail);
  EXPECT_TRUE(holds(never.finding, ": 0"));
}

TEST(AuditAnswers, OneAnswerForAllIsAConstantPredictor) {
  AuditExam exam(sorter());
  EXPECT_EQ(exam.check(audit_answers, "constant predictor").verdict, Check::kPass);
  EXPECT_EQ(exam.check(audit_answers, "better than a constant").verdict, Check::kPass);
  for (Index row = 0; row < exam.asked.size; ++row)
    exam.say(row, {1}, exam.asked.wanted_row(row)[0] == 1);
  EXPECT_EQ(exam.check(audit_answers, "constant predictor").verdict, Check::kFail);
  EXPECT_EQ(exam.check(audit_answers, "better than a constant").verdict, Check::kFail);
  EXPECT_TRUE(holds(exam.check(audit_answers, "tokens never said").finding, "not sorted"));
  // One in twenty said otherwise is no constant any more, and no better than one.
  for (Index row = 0; row < exam.asked.size; row += 20)
    exam.say(row, {0}, exam.asked.wanted_row(row)[0] == 0);
  EXPECT_EQ(exam.check(audit_answers, "constant predictor").verdict, Check::kPass);
  EXPECT_EQ(exam.check(audit_answers, "better than a constant").verdict, Check::kFail);
}

TEST(AuditAnswers, OneSequenceForAllIsAConstantPredictorToo) {
  AuditExam exam(three_digits());
  EXPECT_EQ(exam.check(audit_answers, "constant predictor").verdict, Check::kPass);
  const std::vector<std::int32_t> same(exam.asked.wanted_row(0).begin(),
                                       exam.asked.wanted_row(0).end());
  for (Index row = 1; row < exam.asked.size; ++row) exam.say(row, same, false);
  EXPECT_EQ(exam.check(audit_answers, "constant predictor").verdict, Check::kFail);
  EXPECT_EQ(exam.check(audit_answers, "constant first token").verdict, Check::kFail);
}

TEST(AuditNumbers, AClaimIsAWholeNumberOfAnswersOrAMeanOfBatchMeans) {
  AuditExam exam(three_digits());
  const auto claimed = [&](const char* text) {
    exam.options.claim = parse_claim(text);
    return exam.check(audit_numbers, "claimed accuracy");
  };
  EXPECT_EQ(claimed("41.20 %").finding, "it can be 824 of 2,000 (41.20 %)");
  EXPECT_EQ(claimed("0.349").verdict, Check::kPass);
  const Check mean = claimed("99.853515625%");  // report C's
  EXPECT_EQ(mean.verdict, Check::kFail);
  EXPECT_TRUE(holds(mean.finding, "batches of 64 it is 1,997 of 2,000")) << mean.finding;
  EXPECT_EQ(claimed("99.85%").verdict, Check::kPass);
  const Check neither = claimed("0.41234567");
  EXPECT_EQ(neither.verdict, Check::kFail);
  EXPECT_TRUE(holds(neither.meaning, "another set")) << neither.meaning;
  EXPECT_EQ(parse_claim("1").share, 1);
  EXPECT_EQ(parse_claim("100").share, 1);
  for (const char* text : {"", "many", "101", "-1", "1e-1", "nan", "%", "0.5 x"})
    EXPECT_TRUE(holds(message_of<UsageError>([&] { parse_claim(text); }), "0.412")) << text;
}

TEST(AuditNumbers, AShortLastBatchWeighsMore) {
  AuditExam exam(three_digits());
  exam.answers.right.back() = 0;
  const Check check = exam.check(audit_numbers, "batch-mean arithmetic");
  EXPECT_EQ(check.verdict, Check::kPass);
  EXPECT_EQ(evidence_of(check, "last batch"), "16");
  EXPECT_EQ(evidence_of(check, "difference"), "-0.1453 points");  // 1/16/32 against 1/2000
}

TEST(AuditNumbers, ALogWithImpossibleCountsIsFound) {
  AuditExam exam(tiny_config());
  exam.write_log(1);
  EXPECT_EQ(exam.check(audit_numbers, "batch-mean arithmetic").verdict, Check::kPass);
  exam.log->rows[3].greedy.correct = exam.log->rows[3].greedy.total + 1;
  EXPECT_EQ(exam.check(audit_numbers, "batch-mean arithmetic").verdict, Check::kFail);
  exam.write_log(1);
  ++exam.log->rows[3].greedy.total;
  EXPECT_TRUE(holds(exam.check(audit_numbers, "batch-mean arithmetic").finding, "at step 4"));
}

TEST(AuditNumbers, ALossThatEndsOnTheEntropyOfTheLabelsIsAPlateau) {
  AuditExam exam(sorter());
  EXPECT_EQ(exam.check(audit_numbers, "plateau").verdict, Check::kCouldNotTell);
  exam.write_log(0.6935);
  EXPECT_EQ(exam.check(audit_numbers, "plateau").verdict, Check::kFail);
  exam.log->rows.back().train_loss = 0.65;
  EXPECT_EQ(exam.check(audit_numbers, "plateau").verdict, Check::kPass);
}

TEST(AuditNumbers, OtherDataThanTheTrainingsIsFound) {
  AuditExam exam(tiny_config());
  exam.write_log(1);
  EXPECT_EQ(exam.check(audit_numbers, "same data").verdict, Check::kPass);
  exam.log->data_hash = "0123456789abcdef";
  EXPECT_EQ(exam.check(audit_numbers, "same data").verdict, Check::kFail);
}

TEST(AuditNumbers, AFewQuestionsAreANote) {
  EXPECT_EQ(AuditExam(tiny_config()).check(audit_numbers, "size of the test").verdict,
            Check::kNote);
  EXPECT_EQ(AuditExam(three_digits()).check(audit_numbers, "size of the test").verdict,
            Check::kPass);
}

}  // namespace
}  // namespace heddle::testing
