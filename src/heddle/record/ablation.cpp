// See ablation.hpp.
#include "heddle/record/ablation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace heddle {

Band band_of(double drop) {
  constexpr double kCritical = 0.10, kImportant = 0.01;
  if (drop > kCritical) return Band::critical;
  return drop > kImportant ? Band::important : Band::redundant;
}

std::vector<const Effect*> ranked(const std::vector<Effect>& effects, AblationMode mode) {
  std::vector<const Effect*> found;
  for (const Effect& effect : effects)
    if (effect.mode == mode) found.push_back(&effect);
  const auto size = [](double number) {
    return std::isfinite(number) ? number : -std::numeric_limits<double>::infinity();
  };
  std::ranges::stable_sort(found, [&](const Effect* a, const Effect* b) {
    return std::tuple(-size(a->drop), -size(a->margin_drop), std::string_view(a->what)) <
           std::tuple(-size(b->drop), -size(b->margin_drop), std::string_view(b->what));
  });
  return found;
}

}  // namespace heddle
