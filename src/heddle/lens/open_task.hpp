// The task of a run, opened for the lenses.
#pragma once

#include <memory>
#include <string>

#include "heddle/task/registry.hpp"

namespace heddle {

/// Data that is missing or is not what the run was trained on: FileError. With `words_only` a task
/// whose file is gone is opened by what the run keeps of it: questions can be asked, but there are
/// no sets.
std::unique_ptr<Task> open_task(const std::string& run, const Config& config,
                                bool words_only = false, const ReadProgress& progress = {});

}  // namespace heddle
