// The audit's checks of weights and masks: planted defects in tiny models, and none.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/base/index.hpp"
#include "heddle/model/classifier/hand_built.hpp"
#include "heddle/task/addition/tokens.hpp"
#include "heddle/task/file/file_task.hpp"
#include "tests/support/audit_exam.hpp"
#include "tests/support/holds.hpp"
#include "tests/support/tiny_classifier.hpp"
#include "tests/support/tiny_model.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

using Check = AuditCheck;

/// A weight of the exam's member, to be written.
std::span<float> weight(AuditExam& exam, const std::string& path) {
  const auto& layout = exam.member.model->layout();
  for (const WeightSpec& spec : layout.specs())
    if (spec.path == path)
      return {exam.member.weights.flat().write_shared<float>() + spec.offset,
              to_size(spec.shape.size())};
  ADD_FAILURE() << path;
  return {};
}

/// One row as the seed draws it.
void put_back(AuditExam& exam, const std::string& path, Index row, Index width) {
  const Member start = make_member(exam.config);
  for (const WeightSpec& spec : start.model->layout().specs()) {
    if (spec.path != path) continue;
    const float* from = start.weights.flat().data<float>() + spec.offset + row * width;
    std::copy_n(from, width, weight(exam, path).begin() + row * width);
  }
}

TEST(AuditWeights, ANumberThatIsNoneIsFound) {
  AuditExam exam(tiny_config());
  EXPECT_EQ(exam.check(audit_weights, "finite weights").verdict, Check::kPass);
  weight(exam, "unembed.b")[2] = std::numeric_limits<float>::quiet_NaN();
  const Check check = exam.check(audit_weights, "finite weights");
  EXPECT_EQ(check.verdict, Check::kFail);
  EXPECT_EQ(evidence_of(check, "first of them in"), "unembed.b");
}

TEST(AuditWeights, ARowThatIsReadAndNeverMovedIsFound) {
  AuditExam exam(tiny_config());
  exam.write_log(1);
  EXPECT_EQ(exam.check(audit_weights, "untrained rows").verdict, Check::kPass);
  put_back(exam, "encoder.embed.token", kPad, 8);
  put_back(exam, "decoder.embed.token", kPlus, 8);
  const Check expected = exam.check(audit_weights, "untrained rows");
  EXPECT_EQ(expected.verdict, Check::kPass);
  EXPECT_EQ(evidence_of(expected, "encoder.embed.token: unmoved and never read (as expected)"),
            "PAD");
  const std::int32_t digit = exam.asked.source_row(0)[0];
  put_back(exam, "encoder.embed.token", digit, 8);
  put_back(exam, "decoder.embed.position", 1, 8);
  const Check check = exam.check(audit_weights, "untrained rows");
  EXPECT_EQ(check.verdict, Check::kFail);
  EXPECT_TRUE(
      holds(check.finding, fmt::format("encoder.embed.token {}, decoder.embed.position 1", digit)))
      << check.finding;
}

TEST(AuditWeights, ColumnsOfTheOutputThatNeverMovedAreFound) {
  AuditExam exam(tiny_config());
  exam.write_log(1);
  const Member start = make_member(exam.config);
  for (const WeightSpec& spec : start.model->layout().specs())
    if (spec.path == "unembed.w")
      for (Index row = 0; row < spec.shape[0]; ++row)
        weight(exam, "unembed.w")[to_size(row * spec.shape[1] + 4)] =
            start.weights.flat().data<float>()[spec.offset + row * spec.shape[1] + 4];
  const Check check = exam.check(audit_weights, "untrained rows");
  EXPECT_EQ(check.verdict, Check::kFail);
  EXPECT_TRUE(holds(check.finding, "unembed.w 4")) << check.finding;
}

TEST(AuditWeights, WithoutATrainingOnlyOddRowsAreKnown) {
  AuditExam exam(tiny_config());
  EXPECT_EQ(exam.check(audit_weights, "untrained rows").verdict, Check::kCouldNotTell);
  const auto table = weight(exam, "encoder.embed.token");
  const Index digit = exam.asked.source_row(0)[0];
  std::fill_n(table.begin() + digit * 8, 8, 0.0F);
  EXPECT_EQ(exam.check(audit_weights, "untrained rows").verdict, Check::kFail);
  std::copy_n(table.begin() + kPlus * 8, 8, table.begin() + digit * 8);
  EXPECT_TRUE(holds(exam.check(audit_weights, "untrained rows").finding, "1 rows"));
}

TEST(AuditWeights, AFaintTableOfPositionsIsFound) {
  Config config = tiny_sorter(PositionKind::learned, PoolingSetting::mean);
  AuditExam exam(config);
  EXPECT_EQ(exam.check(audit_weights, "size of positions").verdict, Check::kPass);
  for (float& w : weight(exam, "encoder.embed.position")) w *= 0.068F;  // report D's
  EXPECT_EQ(exam.check(audit_weights, "size of positions").verdict, Check::kFail);
  for (float& w : weight(exam, "encoder.embed.position")) w *= 200;
  EXPECT_EQ(exam.check(audit_weights, "size of positions").verdict, Check::kNote);
  const AuditExam none(tiny_sorter(PositionKind::alibi, PoolingSetting::mean));
  EXPECT_EQ(none.check(audit_weights, "size of positions").verdict, Check::kNotApplicable);
}

TEST(AuditWeights, DeepPostNormWithoutWarmUpIsANote) {
  Config config = tiny_sorter(PositionKind::alibi, PoolingSetting::mean);
  config.model.layers = 4;
  config.model.norm = NormKind::post;
  config.train.warmup = 0;
  EXPECT_EQ(AuditExam(config).check(audit_weights, "norm and warm-up").verdict, Check::kNote);
  config.train.warmup = 1;
  EXPECT_EQ(AuditExam(config).check(audit_weights, "norm and warm-up").verdict, Check::kPass);
}

/// A tap of the encoder's or decoder's stream hears its last row.
void expect_found(const Config& config, const std::string& tap, const std::string& name) {
  AuditExam exam(config);
  EXPECT_EQ(exam.check(audit_masks, name).verdict, Check::kPass) << tap;
  Edits edits(exam.member.model->taps());
  edits.on(tap, hearing_the_end());
  exam.options.edits = &edits;
  const Check check = exam.check(audit_masks, name);
  EXPECT_EQ(check.verdict, Check::kFail) << tap;
  EXPECT_NE(evidence_of(check, "example"), "");
}

TEST(AuditMasks, PaddingThatIsHeardIsFound) {
  expect_found(tiny_config(), "encoder.0.resid_after", "padding");
  expect_found(tiny_sorter(PositionKind::alibi, PoolingSetting::mean), "encoder.0.resid_after",
               "padding");
}

TEST(AuditMasks, SoundModelsDoNotHearPadding) {
  for (const PositionKind position : all_positions())
    for (const PoolingSetting pooling : all_poolings()) {
      const Config config = tiny_sorter(position, pooling);
      const Check check = AuditExam(config).check(audit_masks, "padding");
      EXPECT_EQ(check.verdict, Check::kPass) << sorter_name(config) << " " << check.finding;
    }
  for (const PositionKind position : {PositionKind::none, PositionKind::sinusoidal,
                                      PositionKind::abacus, PositionKind::coupled}) {
    Config config = tiny_config();
    config.model.position = position;
    EXPECT_EQ(AuditExam(config).check(audit_masks, "padding").verdict, Check::kPass)
        << field_text(position);
  }
}

TEST(AuditMasks, ADecoderThatReadsItsAnswerIsFound) {
  expect_found(tiny_config(), "decoder.0.resid_after", "causality");
  expect_found(tiny_sorter(PositionKind::causal, PoolingSetting::mean), "encoder.0.resid_after",
               "causality");
  const AuditExam both(tiny_sorter(PositionKind::alibi, PoolingSetting::mean));
  EXPECT_EQ(both.check(audit_masks, "causality").verdict, Check::kNotApplicable);
}

TEST(AuditMasks, AModelThatIsDeafToItsQuestionIsFound) {
  for (const Config& config :
       {tiny_config(), tiny_sorter(PositionKind::alibi, PoolingSetting::mean)}) {
    AuditExam exam(config);
    EXPECT_EQ(exam.check(audit_masks, "hears the question").verdict, Check::kPass);
    Edits edits(exam.member.model->taps());
    edits.on("encoder.embed.out", zeroing());
    exam.options.edits = &edits;
    EXPECT_EQ(exam.check(audit_masks, "hears the question").verdict, Check::kFail);
  }
}

/// The whole audit of runs that are right by construction, and of one whose file is gone.
TEST(AuditRun, TheHandBuiltSorterFailsNothing) {
  const TempFolder folder;
  Team team(2);
  const Audit audit = audit_run(folder.path(), hand_built_sorter(), {}, team);
  for (const Check& check : audit.checks)
    EXPECT_FALSE(check.failed()) << check.name << ": " << check.finding;
  EXPECT_EQ(find_check(audit.checks, "causality").verdict, Check::kPass);
  EXPECT_GE(audit.count(Check::kPass), 10);
}

TEST(AuditRun, WithoutItsFileOnlyTheModelIsLookedAt) {
  const TempFolder folder;
  std::string lines = "input,output\n";
  for (int i = 0; i < 200; ++i) lines += fmt::format("{} {},{}\n", i % 20, i / 20, i % 20);
  write_file(folder / "task.csv", lines);
  Config config = default_config(TaskKind::file);
  config.task.path = folder / "task.csv";
  config.model.d_model = config.model.d_ff = 8;
  read_shape(config);
  const Member member = make_member(config);
  std::filesystem::remove(folder / "task.csv");
  Team team(1);
  const Audit audit = audit_run(folder.path(), member, {}, team);
  for (const char* name : {"forced = greedy", "split leaks", "label balance", "same data"})
    EXPECT_EQ(find_check(audit.checks, name).verdict, Check::kCouldNotTell) << name;
  for (const char* name : {"padding", "causality", "finite weights"})
    EXPECT_EQ(find_check(audit.checks, name).verdict, Check::kPass) << name;
}

}  // namespace
}  // namespace heddle::testing
