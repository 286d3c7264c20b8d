// Why a run's task has no questions for the lenses.
#pragma once

#include <string>

#include "heddle/config/config.hpp"
#include "heddle/record/run_record.hpp"

namespace heddle {

/// "'pairs.csv' is not there", "'pairs.csv' holds nothing out to ask"; empty where `held_out`
/// examples can be asked.
std::string why_not_asked(const Config& config, std::int64_t held_out);

/// Takes commands that would refuse out of the parts that are missing, and says why instead.
/// `record` has its splits and missing parts. Whether a file is there is not asked: results do not
/// depend on where they are put together.
void explain_missing(const Config& config, RunRecord& record);

}  // namespace heddle
