// The log of a training: out as JSON and back without a loss, and one CSV line per row.
#include "heddle/record/training_log.hpp"

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/base/text.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

TrainingLog example() {
  TrainingLog log;
  log.version = "1.2";
  log.isa = "baseline";
  log.config_hash = "00ff";
  log.data_hash = "ff00";
  log.defect = "\"quoted\" ≠";
  log.makeup = {{"train", 10, {0.5, 0.25, 0.25}, 0.1, 0.01, 0.6}};
  LogRow row;
  row.step = 5;
  row.samples = 320;
  row.seconds = 1.25;
  row.learning_rate = 1e-3;
  row.train_loss = 0.1;  // no finite binary number
  row.gradient_norm = 1.0 / 3;
  row.validation_loss = 2e-17;
  row.tokens = {7, 8};
  row.teacher_forced = {3, 4};
  row.greedy = {1, 4};
  row.by_carries = {{1, 2}, {0, 2}};
  log.rows = {row, row};
  log.rows[1].step = 10;
  log.warnings = {{5, "plateau", "says so"}};
  log.best_step = 10;
  log.finished = true;
  return log;
}

TEST(TrainingLog, ComesBackFromJson) {
  const std::string json = to_json(example());
  const TrainingLog back = parse_training_log(json);
  EXPECT_EQ(to_json(back), json);
  EXPECT_EQ(back.rows[0].gradient_norm, 1.0 / 3);
  EXPECT_EQ(back.rows[1].by_carries, (std::vector<Count>{{1, 2}, {0, 2}}));
  EXPECT_EQ(back.warnings[0].watchdog, "plateau");
  EXPECT_EQ(back.makeup[0].by_carries, (std::vector<double>{0.5, 0.25, 0.25}));
  EXPECT_EQ(back.defect, "\"quoted\" ≠");
  EXPECT_TRUE(back.finished);
}

TEST(TrainingLog, AnythingElseIsAnError) {
  const std::string json = to_json(example());
  for (const std::string& bad : {std::string(), std::string("[]"), std::string("{}"),
                                 json.substr(0, json.size() / 2), std::string(R"({"version": 3})")})
    EXPECT_THROW(parse_training_log(bad), Error) << bad;
}

TEST(TrainingLog, HasOneCsvLinePerRow) {
  const std::vector<std::string> lines = split(to_csv(example()), '\n');
  ASSERT_EQ(lines.size(), 4U);  // header, two rows, the end of the last line
  EXPECT_EQ(split(lines[0], ',').size(), split(lines[1], ',').size());
  EXPECT_EQ(lines[0].substr(0, 13), "step,samples,");
  EXPECT_EQ(split(lines[1], ',')[0], "5");
  EXPECT_EQ(split(lines[1], ',')[9], "0.25");  // greedy accuracy
  EXPECT_EQ(split(lines[1], ',')[10], "0.5");  // without a carry
  EXPECT_EQ(to_csv({}).find('\n'), to_csv({}).size() - 1);
}

}  // namespace
}  // namespace heddle
