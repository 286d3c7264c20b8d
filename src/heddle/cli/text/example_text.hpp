// What the commands that ask questions share: a flag, and a bar while a long file is read.
#pragma once

#include "heddle/cli/common.hpp"
#include "heddle/cli/text/console.hpp"
#include "heddle/task/file/text_lines.hpp"

namespace heddle::cli {

/// --answer, for the commands that ask one question.
extern const Flag kAnswerFlag;

/// A bar while a long file is read.
ReadProgress reading_progress(Console& console);

}  // namespace heddle::cli
