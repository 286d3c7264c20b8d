// Whose folder it is: SWEEP/sweep.json says what is swept, and refuses another sweep.
#pragma once

#include <string>

#include "heddle/base/json.hpp"
#include "heddle/config/sweep.hpp"

namespace heddle {

/// The file that makes a folder a sweep's.
inline constexpr const char* kSweepFile = "sweep.json";

/// {"schema", "version", "isa", "task", "config", "axes", "first_seed", "seeds"}.
Json sweep_json(const SweepGrid& grid);
/// Reads sweep_json() back; FileError, one line with the path.
SweepGrid read_sweep_grid(const std::string& path);

/// UsageError for a sweep of another version or instruction set.
void check_sweep_origin(const std::string& folder);

/// Writes SWEEP/sweep.json, or finds this grid there. A grid that contains the old one takes its
/// place. UsageError for a folder of something else, or of a grid that this one does not contain:
/// says what differs.
void claim_sweep_folder(const std::string& folder, const SweepGrid& grid);

}  // namespace heddle
