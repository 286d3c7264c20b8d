// Which head a pruning removes next: kinds with their names.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle {

/// The one whose removal leaves most right answers (among equals the larger mean margin, then the
/// first), the one with the least gradient importance, or any.
enum class PruneOrder : std::uint8_t { measured, gradient, random };
std::string_view name_of(PruneOrder order);
/// UsageError for another word.
PruneOrder parse_prune_order(std::string_view text);

}  // namespace heddle
