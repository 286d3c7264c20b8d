// See modes.hpp.
#include "heddle/lens/ablate/modes.hpp"

#include <array>

#include "heddle/base/fields.hpp"
#include "heddle/base/index.hpp"

namespace heddle {
namespace {

constexpr std::array<std::string_view, 3> kModes{"zero", "mean", "resample"};
constexpr std::array<std::string_view, 3> kBands{"redundant", "important", "critical"};

}  // namespace

std::string_view name_of(AblationMode mode) {
  return kModes[to_size(mode)];
}

AblationMode parse_ablation_mode(std::string_view text) {
  return static_cast<AblationMode>(parse_name("--mode", text, kModes));
}

std::string_view name_of(Band band) {
  return kBands[to_size(band)];
}

Band band_of(double drop) {
  constexpr double kCritical = 0.10, kImportant = 0.01;
  if (drop > kCritical) return Band::critical;
  return drop > kImportant ? Band::important : Band::redundant;
}

}  // namespace heddle
