// The mappings that ship with the program: how PyTorch's own transformer modules name their
// weights.
#pragma once

#include <string>
#include <vector>

#include "heddle/model/import/map.hpp"
#include "heddle/tensor/foreign.hpp"

namespace heddle {

/// The names that a map may give as its layout.
std::vector<std::string> layout_names();

/// The rules of the map's layout as this file spells them; none where the map names no layout.
///
/// Weights may be packed (in_proj_weight) or apart (q_proj_weight, …), biases may be missing: zeros
/// stand in. UsageError for an unknown layout; FileError where the file holds no such module, or
/// several and the map does not say which by its prefix.
std::vector<TensorRule> layout_rules(const ImportMap& map, const ForeignFile& file);

}  // namespace heddle
