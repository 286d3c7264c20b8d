// How a head is taken out, and what its loss is called: kinds with their names.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle {

/// What stands in for the head: nothing (off-distribution: it deletes the constant part too), its
/// mean at that position over reference questions, or its output on other questions.
enum class AblationMode : std::uint8_t { zero, mean, resample };
std::string_view name_of(AblationMode mode);
/// UsageError for another word.
AblationMode parse_ablation_mode(std::string_view text);

/// What a drop means: critical above 10 points, important above 1.
enum class Band : std::uint8_t { redundant, important, critical };
std::string_view name_of(Band band);
Band band_of(double drop);

}  // namespace heddle
