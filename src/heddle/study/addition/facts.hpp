// What claims and populations ask of one member's record.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/base/head_name.hpp"
#include "heddle/lens/ablate/ablate.hpp"
#include "heddle/record/addition_study.hpp"

namespace heddle {

/// Heads whose single ablation in this mode costs at most `points` (a share).
std::int64_t within(const Ablation& ablation, AblationMode mode, double points);

/// The largest value of an attention measure among the heads that fit the pattern `where`.
std::optional<HeadMeasure> largest(const Specialisation& specialisation, std::string_view measure,
                                   std::string_view where = "**");

/// The largest patching effect among the heads that fit the pattern `where`, over both directions
/// (their mean), for the carry out of `column` (−1: any column). Nothing if there is none.
struct PatchPeak {
  std::string head;
  std::int64_t column = 0;
  double effect = 0, low = 0, control = 0;
};
std::optional<PatchPeak> strongest_patch(const Patching& patching, std::string_view where,
                                         std::int64_t column = -1);

/// Whether a patch moves at least a tenth of the logit difference, and more than its control.
std::optional<bool> moves_the_carry(const std::optional<PatchPeak>& peak);
std::optional<double> share_moved(const std::optional<PatchPeak>& peak);
std::optional<double> value_of(const std::optional<HeadMeasure>& measure);

/// The curve of that kind (the first one of random orders); null if there is none.
const PruneCurve* curve_of(const Pruning& pruning, PruneOrder by);

}  // namespace heddle
