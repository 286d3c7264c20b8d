// Watchdogs bark once, at what they are for, and at nothing else.
#include "heddle/train/watchdogs.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "heddle/eval/score.hpp"
#include "heddle/model/input.hpp"
#include "heddle/task/addition/words.hpp"
#include "tests/support/tiny_model.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

Config hundred_steps() {
  Config config = tiny_config();
  config.train.steps = 100;
  return config;
}

Score score(std::int64_t right, std::int64_t total) {
  Score out;
  out.greedy = out.teacher_forced = {right, total};
  out.common_first = total - total / 2;
  out.common_first_word = "1";
  out.first_right = {right, total};
  return out;
}

TEST(Watchdogs, NoNumberIsAnError) {
  Watchdogs dogs(hundred_steps(), 2, {});
  EXPECT_FALSE(dogs.after_step(1, 3.5));
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    const std::string said = message_of<Error>([&] { dogs.after_step(7, bad); });
    EXPECT_NE(said.find("at step 7"), std::string::npos) << said;
  }
}

/// A fifth of the steps near the prior's entropy: one bark.
TEST(Watchdogs, APlateauIsSeenOnce) {
  Watchdogs dogs(hundred_steps(), 2, {});
  int barks = 0;
  for (int step = 1; step <= 60; ++step) {
    const auto warning = dogs.after_step(step, 2.0 + 0.02 * (step % 2 == 0 ? 1 : -1) * 0.3);
    if (!warning) continue;
    ++barks;
    EXPECT_EQ(warning->watchdog, "plateau");
    EXPECT_EQ(warning->step, 20);
  }
  EXPECT_EQ(barks, 1);
}

TEST(Watchdogs, AFallingLossIsNoPlateau) {
  Watchdogs dogs(hundred_steps(), 2, {});
  for (int step = 1; step <= 100; ++step)
    EXPECT_FALSE(dogs.after_step(step, 3.0 * std::exp(-0.02 * step))) << step;
}

TEST(Watchdogs, ForcedUnlikeGreedyIsADefect) {
  Watchdogs dogs(hundred_steps(), 2, {});
  EXPECT_TRUE(dogs.after_validation(50, score(30, 100)).empty());
  Score bad = score(30, 100);
  bad.disagreements = 1;
  const auto said = dogs.after_validation(60, bad);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].watchdog, "forced ≠ greedy");
  EXPECT_TRUE(dogs.after_validation(70, bad).empty());  // said already
}

TEST(Watchdogs, AConstantFirstTokenIsSeen) {
  Score bad = score(30, 100);
  bad.common_first = 99;
  Watchdogs dogs(hundred_steps(), 2, {});
  EXPECT_TRUE(dogs.after_validation(19, bad).empty());  // too early to say
  const auto said = dogs.after_validation(20, bad);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].watchdog, "constant first token");
  Score right = bad;  // the answers do all begin alike
  right.first_right = {100, 100};
  EXPECT_TRUE(Watchdogs(hundred_steps(), 2, {}).after_validation(50, right).empty());
}

TEST(Watchdogs, WhatWasSaidBeforeAResumeIsNotSaidAgain) {
  Watchdogs dogs(hundred_steps(), 2, {{20, "plateau", "…"}});
  for (int step = 21; step <= 100; ++step) EXPECT_FALSE(dogs.after_step(step, 2));
}

/// Labels: 99 of 100 get one, though each is right for half of them.
TEST(Watchdogs, AConstantPredictorIsSeen) {
  Score bad;
  bad.accuracy = {50, 100};
  bad.by_label = {{.label = "not sorted", .count = {1, 50}, .given = 1},
                  {.label = "sorted", .count = {49, 50}, .given = 99}};
  EXPECT_TRUE(Watchdogs(hundred_steps(), 2, {}).after_validation(19, bad).empty());
  const auto said = Watchdogs(hundred_steps(), 2, {}).after_validation(20, bad);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].watchdog, "constant predictor");
  EXPECT_NE(said[0].message.find("only 50.0 % have the most frequent one"), std::string::npos);
  TaskTraits traits;
  traits.positive_label = 1;
  const auto sorted = Watchdogs(hundred_steps(), 2, {}).after_validation(20, bad, traits);
  ASSERT_EQ(sorted.size(), 1U);
  EXPECT_NE(sorted[0].message.find("\"sorted\", though 50.0 % are sorted"), std::string::npos);
  bad.by_label[0].given = 2;
  bad.by_label[1].given = 98;
  EXPECT_TRUE(Watchdogs(hundred_steps(), 2, {}).after_validation(20, bad).empty());
}

/// One digit, problems 0+0, 0+1, 9+9: the answers 00, 01, 18 and an end that says nothing.
TEST(Watchdogs, ThePriorIsThatOfEachPlace) {
  const TinyModel tiny(tiny_config());
  const std::vector<Problem> problems{make_problem(0, 0, 1), make_problem(0, 1, 1),
                                      make_problem(9, 9, 1)};
  EncodedQuestions encoded;
  tiny.model().encode_questions(questions_of(problems), 0, 3, {}, encoded);
  const double tens = -(2.0 / 3 * std::log(2.0 / 3) + 1.0 / 3 * std::log(1.0 / 3));
  EXPECT_NEAR(prior_entropy(encoded), (tens + std::log(3.0) + 0) / 3, 1e-15);
  EXPECT_EQ(prior_entropy({}), 0);
}

}  // namespace
}  // namespace heddle::testing
