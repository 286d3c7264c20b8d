// Settings from text: --set key=value, and the config.json of a run.
#pragma once

#include <string>
#include <string_view>

#include "heddle/config/config.hpp"

namespace heddle {

/// Sets one setting from its text. The group may be left out where the name is unique. UsageError:
/// unknown (with the nearest known name), ambiguous, unparsable, out of range. Settings that only
/// clash with others are left to validate().
void set(Config& config, std::string_view key, std::string_view text);
/// The same from "key=value".
void set(Config& config, std::string_view assignment);

/// The whole name of a setting ("heads" → "model.heads"); UsageError as in set().
std::string full_name(std::string_view key);

/// The configuration as config.json holds it: groups as objects, enums by name.
std::string config_json(const Config& config);
/// Reads config_json() back and validates (a missing text is an empty one); UsageError for anything
/// that is not exactly it (broken JSON, unknown, missing or wrongly typed settings). The caller
/// adds the file's name.
Config parse_config(std::string_view json_text);

}  // namespace heddle
