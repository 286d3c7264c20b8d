// Records as JSON, as --json prints them: fractions, not percentages; fields are never renamed.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "heddle/record/score.hpp"
#include "heddle/record/training_log.hpp"

namespace heddle {

using Json = nlohmann::ordered_json;

/// {"correct", "total"}.
Json json_of(const Count& count);
/// {"step", "watchdog", "message"}.
Json json_of(const Warning& warning);
/// "set" and every count of a score; "seen" and "unseen" are null where they were not told apart.
Json json_of(const AdditionScore& score);

/// One line, ended. Bytes that are no UTF-8 are replaced, not refused.
std::string json_line(const Json& json);

}  // namespace heddle
