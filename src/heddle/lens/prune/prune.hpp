// Pruning: how many heads a member can lose, one after the other, measured anew after each.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "heddle/lens/stats/verdicts.hpp"
#include "heddle/model/cut.hpp"
#include "heddle/record/ablation.hpp"
#include "heddle/record/pruning.hpp"

namespace heddle {

/// Which head goes next: the one whose removal leaves most right answers (among equals the larger
/// mean margin, then the first), the one with the least gradient importance, or any.
enum class PruneOrder : std::uint8_t { measured, gradient, random };
std::string_view name_of(PruneOrder order);
/// UsageError for another word.
PruneOrder parse_prune_order(std::string_view text);

/// Sets that share no problem: heads are chosen on the first and scored on the second; what
/// stands in for them is their mean on the third.
struct PruneProblems {
  std::span<const Problem> choose, score, reference;
  /// More problems on which a head that goes for free may bring no mistake either; may be empty.
  std::span<const Problem> proof{};
};

/// The same for any task.
struct PruneSets {
  ForcedSet choose, score, reference;
  std::optional<ForcedSet> proof{};
};
PruneSets sets_of(const Member& member, const PruneProblems& problems);

struct PruneOptions {
  std::vector<PruneOrder> by{PruneOrder::measured, PruneOrder::gradient, PruneOrder::random};
  Index random_repeats = 3;
};

/// Removals done, of all; may throw.
using PruneProgress = std::function<void(Index done, Index total)>;

/// One way down.
struct DescentOptions {
  PruneOrder by = PruneOrder::measured;
  Index repeat = 0;     ///< which random order
  Index keep = 0;       ///< stop when so many heads are left
  double max_drop = 1;  ///< stop before more than this share of the choosing problems is lost
};
struct Descent {
  PruneCurve curve;           ///< heads by their names in the whole model
  std::vector<HeadCut> cuts;  ///< the same in the member's own numbering, ready for cut_heads()
};

/// Removes heads one by one, for good: every next head is chosen, and its mean output taken, in the
/// member as the removals before have left it.
Descent descend(const Member& member, PruneSets sets, const DescentOptions& options, Team& team,
                const PruneProgress& progress = {});

inline Descent descend(const Member& member, const PruneProblems& problems,
                       const DescentOptions& options, Team& team,
                       const PruneProgress& progress = {}) {
  return descend(member, sets_of(member, problems), options, team, progress);
}

/// Everything about pruning one member: the reports' counts out of its single ablations (modes zero
/// and mean, as far as `singles` has them), all curves down to no head, the heads that go free of
/// charge by measured drop, and how far the cut model's logits are from the masked one's.
struct PruneRequest {
  PruneSets sets;
  PruneOptions options;
  std::function<void(const Member&)> see_cut{};  ///< shown the model without its free heads
};
Pruning prune_curves(const Member& member, PruneRequest request, const Ablation& singles,
                     Team& team, const PruneProgress& progress = {});

/// The reports' count, from the single ablations of one mode.
PruneCounts prune_counts(const Ablation& singles, std::string_view mode);

/// A model with its score, for Pruning::smaller.
SmallerModel smaller_model(std::string name, const Member& member, const Count& scored);

}  // namespace heddle
