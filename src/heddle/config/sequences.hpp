// Texts of the sortedness task's settings: "8-16", "adjacent,distant".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "heddle/config/kinds.hpp"

namespace heddle {

struct LengthRange {
  std::int64_t least = 8, most = 16;
};

/// "8-16" or one length "12"; UsageError: task.lengths, the text, what is accepted.
LengthRange parse_lengths(std::string_view text);

/// Names with commas between them, each once; UsageError names what is no kind.
std::vector<NegativeKind> parse_kinds(std::string_view text);

}  // namespace heddle
