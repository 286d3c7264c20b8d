// Every task there is: what a configuration's task is made by.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "heddle/task/file/text_lines.hpp"
#include "heddle/task/task.hpp"

namespace heddle {

struct TaskOptions {
  ReadProgress progress{};  ///< while a file is read
  /// The words that a run keeps of its file (file/file_task.hpp): the task is opened by them alone
  /// and has nothing to train on and nothing to ask. Tasks without a file do not read it.
  std::optional<std::string> lexicon{};
};

/// The configuration's task; UsageError where its data cannot exist, FileError for its file.
std::unique_ptr<Task> make_task(const Config& config, const TaskOptions& options = {});

}  // namespace heddle
