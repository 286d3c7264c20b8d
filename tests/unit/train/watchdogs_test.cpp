// Watchdogs bark once, at what they are for, and at nothing else.
#include "heddle/train/watchdogs.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/tiny_model.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

Config hundred_steps() {
  Config config = tiny_config();
  config.train.steps = 100;
  return config;
}

AdditionScore score(std::int64_t right, std::int64_t total) {
  AdditionScore out;
  out.greedy = out.teacher_forced = {right, total};
  out.first_tokens.assign(14, 0);
  out.first_tokens[0] = total / 2;
  out.first_tokens[1] = total - total / 2;
  out.by_digit.assign(2, {right, total});
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
  AdditionScore bad = score(30, 100);
  bad.disagreements = 1;
  const auto said = dogs.after_validation(60, bad);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].watchdog, "forced ≠ greedy");
  EXPECT_TRUE(dogs.after_validation(70, bad).empty());  // said already
}

TEST(Watchdogs, AConstantFirstTokenIsSeen) {
  AdditionScore bad = score(30, 100);
  bad.first_tokens.assign(14, 0);
  bad.first_tokens[0] = 99;
  bad.first_tokens[1] = 1;
  Watchdogs dogs(hundred_steps(), 2, {});
  EXPECT_TRUE(dogs.after_validation(19, bad).empty());  // too early to say
  const auto said = dogs.after_validation(20, bad);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].watchdog, "constant first token");
  AdditionScore right = bad;  // the answers do all begin alike
  right.by_digit.assign(2, {100, 100});
  EXPECT_TRUE(Watchdogs(hundred_steps(), 2, {}).after_validation(50, right).empty());
}

TEST(Watchdogs, WhatWasSaidBeforeAResumeIsNotSaidAgain) {
  Watchdogs dogs(hundred_steps(), 2, {{20, "plateau", "…"}});
  for (int step = 21; step <= 100; ++step) EXPECT_FALSE(dogs.after_step(step, 2));
}

/// One digit, problems 0+0, 0+1, 9+9: the answers 00, 01, 18 and an end that says nothing.
TEST(Watchdogs, ThePriorIsThatOfEachPlace) {
  const Addition task(tiny_config());
  const std::vector<Problem> problems{make_problem(0, 0, 1), make_problem(0, 1, 1),
                                      make_problem(9, 9, 1)};
  const double tens = -(2.0 / 3 * std::log(2.0 / 3) + 1.0 / 3 * std::log(1.0 / 3));
  EXPECT_NEAR(prior_entropy(task, problems), (tens + std::log(3.0) + 0) / 3, 1e-15);
  EXPECT_EQ(prior_entropy(task, {}), 0);
}

}  // namespace
}  // namespace heddle::testing
