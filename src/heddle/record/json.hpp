// Records as JSON, as --json prints them: fractions, not percentages; fields are never renamed.
#pragma once

#include <string>

#include "heddle/base/json.hpp"
#include "heddle/record/score.hpp"
#include "heddle/record/training_log.hpp"

namespace heddle {

/// {"correct", "total"}.
Json json_of(const Count& count);
/// {"step", "watchdog", "message"}.
Json json_of(const Warning& warning);

}  // namespace heddle
