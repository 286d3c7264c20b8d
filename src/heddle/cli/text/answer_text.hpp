// One answer in one line, and the flag that tells what it should be.
#pragma once

#include <string>

#include "heddle/cli/text/arguments.hpp"
#include "heddle/lens/answer.hpp"

namespace heddle::cli {

/// "374+814 = 1188   right", "3 5 5 9 → sorted   wrong: it is not sorted".
std::string answer_line(const Task& task, const Answer& answer);

/// UsageError for --answer where the task knows the right answer by itself.
void check_answer_flag(const Arguments& arguments, const Task& task);

}  // namespace heddle::cli
