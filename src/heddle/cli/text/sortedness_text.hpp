// Cells of a sortedness evaluation, as flags ask for them and as people and programs read them.
#pragma once

#include <string>
#include <vector>

#include "heddle/cli/text/arguments.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/sortedness.hpp"
#include "heddle/task/sortedness/sorted_sets.hpp"

namespace heddle::cli {

/// The sets that --lengths, --kinds, --values and --count ask for.
std::vector<SetSpec> wanted_sets(const Arguments& arguments);

Json cell_json(const SortCell& cell);
std::string cells_text(const std::vector<SortCell>& cells);

}  // namespace heddle::cli
