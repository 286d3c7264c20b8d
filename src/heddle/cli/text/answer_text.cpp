// See answer_text.hpp.
#include "heddle/cli/text/answer_text.hpp"

#include "heddle/base/check.hpp"

namespace heddle::cli {

std::string answer_line(const Task& task, const Answer& answer) {
  const std::string verdict = !answer.known    ? "the right answer is not known"
                              : answer.correct ? "right"
                                               : "wrong: it is " + answer.expected;
  return fmt::format("{} {} {}   {}\n", answer.input, task.traits().answer_sign, answer.output,
                     verdict);
}

void check_answer_flag(const Arguments& arguments, const Task& task) {
  check<UsageError>(task.traits().accepts_answers || !arguments.has("--answer"),
                    "--answer: {} knows the right answer by itself", task.title());
}

}  // namespace heddle::cli
