// Attention on a terminal: shaded blocks, the heads of a module side by side.
#pragma once

#include <cstddef>
#include <string>

#include "heddle/record/addition_study.hpp"

namespace heddle::cli {

/// Every module of the picture. Weights that are no numbers are masked. Heads that would reach
/// beyond `most_columns` stand below the others; 0: they never do.
std::string maps_text(const MemberRecord& member, const AttentionPicture& picture,
                      std::size_t most_columns);

}  // namespace heddle::cli
