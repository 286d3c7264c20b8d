// Leaves what a command found beside the run, for `heddle report RUN`.
#pragma once

#include <string>

#include "heddle/cli/text/console.hpp"
#include "heddle/lens/kept.hpp"
#include "heddle/lens/open_task.hpp"
#include "heddle/model/member.hpp"

namespace heddle::cli {

/// A run that cannot be written to is still looked at: the reader is told, and no more.
template <class Record>
void keep_beside(const std::string& run, const KeptOrigin& origin, std::string_view name,
                 const Record& record, Console& console) {
  try {
    keep(run, origin, name, record);
  } catch (const FileError& error) {
    console.warn("warning, not kept for a report: {}", error.what());
  }
}

/// A score, and the attention on a few of the questions.
void keep_score(const std::string& run, const Member& member, const Task& task,
                const RunScore& score, Console& console);

}  // namespace heddle::cli
