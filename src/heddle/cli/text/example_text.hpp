// Scores of tasks of words as people and programs read them.
#pragma once

#include "heddle/base/json.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/console.hpp"
#include "heddle/record/example_score.hpp"
#include "heddle/record/training_log.hpp"
#include "heddle/task/example_task.hpp"

namespace heddle::cli {

/// --answer, for the commands that ask one question.
extern const Flag kAnswerFlag;

/// What `eval --json` says of a score; fractions with their 95 % interval.
Json json_of(const ExampleScore& score);
std::string score_text(const ExampleScore& score);

/// A bar while a long file is read.
ReadProgress reading_on(Console& console);

/// The score of a run on its test examples, with what the watchdogs say to it.
struct ExampleResult {
  ExampleScore validation, test;
  std::vector<Warning> warnings;
};
ExampleResult score_run(const std::string& run, Team& team, Console& console);

}  // namespace heddle::cli
