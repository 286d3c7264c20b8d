// See facts.hpp.
#include "heddle/study/addition/facts.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "heddle/base/text.hpp"

namespace heddle {

std::int64_t within(const Ablation& ablation, AblationMode mode, double points) {
  return std::ranges::count_if(ablation.heads, [&](const Effect& effect) {
    return effect.mode == mode && effect.drop <= points;
  });
}

std::optional<HeadMeasure> largest(const Specialisation& specialisation, std::string_view measure,
                                   std::string_view where) {
  std::optional<HeadMeasure> best;
  for (const HeadMeasure& here : specialisation.measures)
    if (here.measure == measure && matches(where, here.head) && (!best || here.value > best->value))
      best = here;
  return best;
}

std::optional<PatchPeak> strongest_patch(const Patching& patching, std::string_view where,
                                         std::int64_t column) {
  std::map<std::tuple<std::string, std::int64_t>, std::vector<const PatchEffect*>> groups;
  for (const PatchEffect& effect : patching.heads)
    if (matches(where, effect.place) && (column < 0 || effect.column == column))
      groups[{effect.place, effect.column}].push_back(&effect);
  std::optional<PatchPeak> best;
  for (const auto& [key, effects] : groups) {
    PatchPeak peak{std::get<0>(key), std::get<1>(key)};
    const auto share = 1.0 / static_cast<double>(effects.size());
    for (const PatchEffect* effect : effects) {
      peak.effect += share * effect->effect;
      peak.low += share * effect->low;
      peak.control += share * effect->control;
    }
    if (!best || peak.effect > best->effect) best = peak;
  }
  return best;
}

std::optional<bool> moves_the_carry(const std::optional<PatchPeak>& peak) {
  constexpr double kLeast = 0.10;
  return peak ? std::optional(peak->effect >= kLeast && peak->low > peak->control) : std::nullopt;
}

std::optional<double> share_moved(const std::optional<PatchPeak>& peak) {
  return peak ? std::optional(peak->effect) : std::nullopt;
}

std::optional<double> value_of(const std::optional<HeadMeasure>& measure) {
  return measure ? std::optional(measure->value) : std::nullopt;
}

const PruneCurve* curve_of(const Pruning& pruning, PruneOrder by) {
  const auto found = std::ranges::find(pruning.curves, by, &PruneCurve::by);
  return found == pruning.curves.end() ? nullptr : &*found;
}

}  // namespace heddle
