// The commands there are.
#pragma once

#include <span>

#include "heddle/cli/text/arguments.hpp"

namespace heddle::cli {

Command study_command();
Command member_command();
Command conclude_command();
Command train_command();
Command eval_command();
Command ask_command();
Command attend_command();
Command audit_command();
Command ablate_command();
Command prune_command();
Command specialise_command();
Command patch_command();
Command probe_command();
Command taps_command();
Command capture_command();
Command import_command();
Command report_command();
Command config_command();
Command bench_command();

/// In the order the help lists them.
const std::vector<Command>& commands();
/// The command of that name; UsageError with the nearest one.
const Command& find_command(const std::string& name);
/// What `heddle --help` prints.
std::string overview(std::string_view program);

}  // namespace heddle::cli
