// Ablation: what a member loses without a head, two heads, a module, or all heads of a module but
// one.
#pragma once

#include <vector>

#include "heddle/lens/ablate/effects.hpp"
#include "heddle/lens/heads.hpp"

namespace heddle {

struct AblationOptions {
  std::vector<AblationMode> modes{AblationMode::zero, AblationMode::mean, AblationMode::resample};
  Index donors = 8;  ///< passes of resample, each with another donor for every question
  bool pairs = false, modules = false, leave_one_in = false;  ///< in mode mean
  bool together = false;  ///< all heads at once that alone cost at most 1 or 5 points
};

/// Questions that score, and others that means and donors come from.
struct AblationSets {
  Questions scored, reference;
  const Facets* facets = nullptr;  ///< of the task: what drops are broken down by
};

Ablation ablate(const Member& member, const AblationSets& sets, const AblationOptions& options,
                Team& team, const VariantProgress& progress = {});

}  // namespace heddle
