// Sortedness on the command line: train, eval, ask, taps; and everything that can be typed wrongly
// about it is one line.
#include <set>

#include <gtest/gtest.h>

#include "heddle/base/json.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/holds.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

using heddle::Json;

std::vector<std::string> tiny_sorting(const std::string& run,
                                      const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"train",    "sortedness", "--out",        run,
                                 "--set",    "d_model=16", "d_ff=32",      "heads=2",
                                 "steps=20", "batch=32",   "eval_every=10"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// One trained member that all these tests look at.
class CliSortedness : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TempFolder>();
    const Outcome outcome = heddle_call(tiny_sorting(run(), {"--json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    trained_ = outcome;
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static std::string run() { return *folder_ / "run"; }
  static const Outcome& trained() { return trained_; }

  static Outcome eval(std::vector<std::string> more) {
    more.insert(more.begin(), {"eval", run()});
    return heddle_call(std::move(more));
  }

 private:
  static inline std::unique_ptr<TempFolder> folder_;
  static inline Outcome trained_;
};

TEST_F(CliSortedness, TrainWritesARunAndSaysSo) {
  for (const char* file : {"config.json", "model.safetensors", "training_log.json"})
    EXPECT_NE(file_bytes(run() + "/" + file), "") << file;
  const Json json = Json::parse(trained().out);
  EXPECT_EQ(json.at("task"), "sortedness");
  EXPECT_EQ(json.at("outcome"), "finished");
  EXPECT_EQ(json.at("steps"), 20);
  EXPECT_EQ(json.at("samples"), 20 * 32);
  EXPECT_EQ(json.at("cells").size(), 8U);  // four kinds, 16 and 256
  EXPECT_TRUE(holds(trained().err, "data hash")) << trained().err;
  const Outcome again = heddle_call(tiny_sorting(run()));
  EXPECT_EQ(again.code, 0);
  EXPECT_TRUE(holds(again.err, "finished already")) << again.err;
}

TEST_F(CliSortedness, EvalHasTheFieldsOfTheSpecification) {
  const Outcome outcome = eval({"--lengths", "8,32", "--kinds", "adjacent,dip5", "--values",
                                "uniform,windowed", "--count", "100", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json.at("task"), "sortedness");
  EXPECT_EQ(json.at("run"), run());
  ASSERT_EQ(json.at("cells").size(), 8U);
  std::set<std::string> asked;
  for (const Json& cell : json.at("cells")) {
    for (const char* field :
         {"length", "kind", "delta", "values", "correct", "total", "low", "high", "tpr", "tnr",
          "auroc", "predicted_positive", "constant", "threshold", "ceiling"})
      EXPECT_TRUE(cell.contains(field)) << field;
    EXPECT_EQ(cell.at("total"), 100);
    EXPECT_EQ(cell.at("delta"), cell.at("kind") == "dip" ? 5 : 0);
    EXPECT_LE(cell.at("low"), cell.at("high"));
    // Exactly half are sorted: the share of right answers is the mean of both rates.
    EXPECT_NEAR(cell.at("correct").get<double>(),
                50 * (cell.at("tpr").get<double>() + cell.at("tnr").get<double>()), 1e-9);
    asked.insert(cell.at("values").get<std::string>() + cell.at("kind").get<std::string>() +
                 cell.at("length").dump());
  }
  EXPECT_EQ(asked.size(), 8U);
  EXPECT_EQ(eval({"--lengths", "8,32", "--kinds", "adjacent,dip5", "--values", "uniform,windowed",
                  "--count", "100", "--json", "--threads", "1"})
                .out,
            outcome.out);
}

TEST_F(CliSortedness, EvalIsATableOtherwise) {
  const Outcome outcome = eval({"--lengths", "16", "--kinds", "swaps,reverse", "--count", "50"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"trained at lengths 8-16", "seed 1", "swaps", "reverse", "auroc"})
    EXPECT_TRUE(holds(outcome.out, part)) << part;
}

TEST_F(CliSortedness, AskAnswersInWords) {
  const Outcome outcome = heddle_call({"ask", run(), "3 5 5 9"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("3 5 5 9 → ")) << outcome.out;
  EXPECT_TRUE(holds(outcome.out, "sorted")) << outcome.out;
  EXPECT_TRUE(holds(outcome.out, "encoder.1.self.head.")) << outcome.out;
}

TEST_F(CliSortedness, AskAnswersInJson) {
  const Json json = Json::parse(heddle_call({"ask", run(), "3, 5, 5, 9", "--json"}).out);
  EXPECT_EQ(json.at("input"), "3 5 5 9");
  EXPECT_EQ(json.at("expected"), "sorted");
  EXPECT_EQ(json.at("correct"), json.at("output") == json.at("expected"));
  ASSERT_EQ(json.at("logits").size(), 1U);
  const double no = json.at("logits")[0].at(0), yes = json.at("logits")[0].at(1);
  EXPECT_EQ(json.at("output"), yes > no ? "sorted" : "not sorted");
  EXPECT_EQ(json.at("heads").size(), 4U);
  const Json& pattern = json.at("attention").at("encoder.0.self");
  ASSERT_EQ(pattern.size(), 2U);
  ASSERT_EQ(pattern[0].size(), 4U);
  for (const Json& row : pattern[0]) {
    double sum = 0;
    for (const Json& weight : row) sum += weight.get<double>();
    EXPECT_NEAR(sum, 1, 1e-5);
  }
  EXPECT_EQ(Json::parse(heddle_call({"ask", run(), "9 3", "--json"}).out).at("expected"),
            "not sorted");
}

TEST_F(CliSortedness, TapsAreListed) {
  const Outcome outcome = heddle_call({"taps", run()});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* name : {"encoder.embed.out", "encoder.0.self.slopes", "encoder.1.self.pattern",
                           "encoder.1.self.head.1", "head.violation", "head.w_out", "logits"})
    EXPECT_TRUE(holds(outcome.out, name)) << name;
  EXPECT_FALSE(holds(outcome.out, "decoder"));
}

/// Words that are wrong, and what the one line has to say.
struct Wrong {
  std::vector<std::string> words;
  std::string says;
};

void expect_refused(const std::vector<Wrong>& cases) {
  for (const Wrong& wrong : cases) {
    const Outcome outcome = heddle_call(wrong.words);
    EXPECT_EQ(outcome.code, 2) << wrong.says << ": " << outcome.err;
    EXPECT_TRUE(outcome.one_line()) << outcome.err;
    EXPECT_TRUE(holds(outcome.err, wrong.says)) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(CliSortedness, WrongQuestionsAreOneLine) {
  expect_refused({
      {{"ask", run(), "3 100"}, "has the number 100"},
      {{"ask", run(), "3 -1"}, "has the number -1"},
      {{"ask", run(), ""}, "has no number"},
      {{"ask", run(), " , "}, "has no number"},
      {{"ask", run(), "3 b 5"}, "has 'b' for a number"},
      {{"eval", run(), "--kinds", "dip0"}, "'dip0' is no kind"},
      {{"eval", run(), "--kinds", "dip100"}, "'dip100' is no kind"},
      {{"eval", run(), "--kinds", "adjasent"}, "did you mean 'adjacent'"},
      {{"eval", run(), "--lengths", "1"}, "'1' is no length"},
      {{"eval", run(), "--lengths", "8,,16"}, "'' is no length"},
      {{"eval", run(), "--lengths", "2", "--kinds", "distant"}, "at least"},
      {{"eval", run(), "--values", "windowd"}, "did you mean 'windowed'"},
      {{"eval", run(), "--count", "3"}, "3"},
      {{"eval", run(), "--census"},
       "'census' is no exam of sortedness: accepted is validation, test"},
      {{"taps", run(), "decoder.0.self.z"}, "decoder.0.self.z"},
  });
}

TEST(CliSortednessWords, WrongSettingsWriteNothing) {
  const TempFolder folder;
  const std::string out = folder / "run";
  const auto with = [&](const std::string& assignment) {
    return tiny_sorting(out, {"--set", assignment});
  };
  expect_refused({
      {with("position=alibbi"), "did you mean 'alibi'"},
      {with("pooling=maks"), "did you mean 'max'"},
      {with("kinds=adjasent"), "did you mean 'adjacent'"},
      {with("kinds="), "task.kinds"},
      {with("kinds=dip,adjacent,dip"), "dip stands there twice"},
      {with("normaliser=logn"), "did you mean 'log-n'"},
      {with("values=windoved"), "did you mean 'windowed'"},
      {with("lengths=16-8"), "task.lengths='16-8'"},
      {with("lengths=1-8"), "task.lengths='1-8'"},
      {with("lengths=8-16-32"), "task.lengths='8-16-32'"},
      {with("batch=33"), "accepted is an even number"},
      {tiny_sorting(out, {"--set", "position=learned", "position_rows=4"}),
       "model.position_rows=4 is shorter than the training lengths"},
      {tiny_sorting(out, {"--set", "position=causal", "direction=split"}), "model.direction=split"},
      {with("task.name=addition"), "the task that was named is sortedness"},
      {with("digits=3"), "task.digits is a setting of addition, and the task is sortedness"},
      {with("encoder_layers=3"), "model.encoder_layers is a setting of addition"},
      {tiny_training(out, {"--set", "kinds=swaps"}),
       "task.kinds is a setting of sortedness, and the task is addition"},
      {tiny_training(out, {"--set", "pooling=max"}), "model.pooling is a setting of sortedness"},
      {tiny_training(out, {"--set", "position=alibi"}), "addition accepts sinusoidal"},
  });
  EXPECT_TRUE(folder.names().empty());
}

/// The table has the 16 rows that train: beyond them the model says so, in one line.
TEST(CliSortednessWords, RejectedLengthsAreOneLine) {
  const TempFolder folder;
  const std::string run = folder / "run";
  const Outcome trained =
      heddle_call(tiny_sorting(run, {"--set", "position=learned", "position_past_end=reject"}));
  ASSERT_EQ(trained.code, 0) << trained.err;
  const std::string says = "position 16 is past the 16 that the model has";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"eval", run, "--lengths", "32"},
        {"ask", run, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17"}}) {
    const Outcome outcome = heddle_call(words);
    EXPECT_TRUE(outcome.code == 1 || outcome.code == 2) << outcome.code;
    EXPECT_TRUE(outcome.one_line() && holds(outcome.err, says)) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(heddle_call({"eval", run, "--lengths", "16", "--count", "20"}).code, 0);
}

TEST(CliSortednessWords, AnAdditionRunHasNoLengths) {
  const TempFolder folder;
  ASSERT_EQ(heddle_call(tiny_training(folder / "run")).code, 0);
  expect_refused({{{"eval", folder / "run", "--lengths", "8"}, "belongs to the sortedness task"},
                  {{"eval", folder / "run", "--kinds", "dip"}, "belongs to the sortedness task"}});
}

}  // namespace
}  // namespace heddle
