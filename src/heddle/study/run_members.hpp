// The one driver of studies: trains and examines members, those that are left, beside any other
// process that does the same in the same folder; then concludes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heddle/study/study.hpp"

namespace heddle {

struct RunOptions {
  int threads = 1;
  std::optional<std::size_t> only = {};  ///< one member instead of all
};

enum class StudyOutcome : std::uint8_t { finished, stopped };

/// Trains and examines the members whose records are not there yet; STUDY/plan.json must be (see
/// plan_file.hpp). Members that another process is doing are waited for, and done here if it dies.
/// Stopped or killed at any point, the next call goes on where it was.
StudyOutcome run_members(const Study& study, const std::string& folder, const RunOptions& options,
                         const StudyObserver& observer);

/// The file beside a member's folder that is locked while somebody does it: ".tuned-1.lock".
/// (Inside it a training has a lock of its own, and what writes weights wants it empty.)
std::string member_lock(const std::string& folder_name);

/// Names of the members whose records are not there.
std::vector<std::string> missing_members(const Study& study, const std::string& folder);

/// Leaves results.json and timings.json; the same bytes of results.json whoever made the members.
/// Error with the names of members that are missing.
StudyOutcome conclude_study(const Study& study, const std::string& folder, int threads,
                            const StudyObserver& observer);

}  // namespace heddle
