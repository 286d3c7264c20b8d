// Pruning: how many heads a member can lose, one after the other, measured anew after each.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "heddle/lens/prune/head_removal.hpp"
#include "heddle/record/ablation.hpp"

namespace heddle {

struct PruneOptions {
  std::vector<PruneOrder> by{PruneOrder::measured, PruneOrder::gradient, PruneOrder::random};
  Index random_repeats = 3;
};

/// Removals done, of all; may throw.
using PruneProgress = std::function<void(Index done, Index total)>;

/// Removes heads one by one, for good: every next head is chosen, and its mean output taken, in the
/// member as the removals before have left it.
HeadRemoval remove_heads(const Member& member, const PruneSets& sets,
                         const HeadRemovalOptions& options, Team& team,
                         const PruneProgress& progress = {});

/// Everything about pruning one member: the reports' counts out of its single ablations (modes zero
/// and mean, as far as `singles` has them), all curves down to no head, the heads that go free of
/// charge by measured drop, and how far the cut model's logits are from the masked one's.
struct PruneRequest {
  PruneSets sets;
  PruneOptions options;
  std::function<void(const Member&)> see_cut{};  ///< shown the model without its free heads
};
Pruning prune_curves(const Member& member, const PruneRequest& request, const Ablation& singles,
                     Team& team, const PruneProgress& progress = {});

/// The reports' count, from the single ablations of one mode.
PruneCounts prune_counts(const Ablation& singles, AblationMode mode);

/// A model with its score, for Pruning::smaller.
SmallerModel smaller_model(std::string name, const Member& member, const Count& scored);

}  // namespace heddle
