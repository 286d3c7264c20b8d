// Whether the settings in a run's folder are those that its weights, its state or its log were made
// with.
#pragma once

#include <string>

#include "heddle/config/config.hpp"

namespace heddle {

/// Whether `hash` is that of these settings. Where a task's data lie may change after a training:
/// task.path may be another than the one that the run keeps, if a file is there (the data have a
/// hash of their own).
bool made_with(const std::string& run, const Config& config, const std::string& hash);

/// FileError, one line, unless `file` (of the run), which says `hash`, was made with them: names
/// RUN/config.json, what it says and what fits.
void check_made_with(const std::string& run, const Config& config, const std::string& hash,
                     const std::string& file);

}  // namespace heddle
