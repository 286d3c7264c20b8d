// heddle train with lists in --set or with --seeds: a sweep instead of one member.
#pragma once

#include <string>

#include "heddle/cli/text/arguments.hpp"
#include "heddle/cli/text/console.hpp"

namespace heddle::cli {

/// The flag that train takes for it.
extern const Flag kSeedsFlag;

/// Whether these words of train ask for a sweep: --seeds, or a list in --set.
bool wants_sweep(const Arguments& arguments);

/// Trains and compares its cells, draws the report; the program's exit code.
int train_sweep(const Arguments& arguments, Console& console);

/// Draws the report of a sweep from its results.json, and prints what it says.
void draw_sweep(const std::string& folder, const Arguments& arguments, Console& console);

/// UsageError where the folder holds a sweep: a single member has no place there.
void refuse_sweep(const std::string& folder);

}  // namespace heddle::cli
