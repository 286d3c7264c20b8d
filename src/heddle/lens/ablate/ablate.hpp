// Ablation: what a member loses without a head, two heads, a module, or all heads of a module but
// one.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "heddle/lens/heads.hpp"
#include "heddle/lens/stats/verdicts.hpp"
#include "heddle/record/ablation.hpp"

namespace heddle {

/// What stands in for the head: nothing (off-distribution: it deletes the constant part too), its
/// mean at that position over reference problems, or its output on other problems.
enum class AblationMode : std::uint8_t { zero, mean, resample };
std::string_view name_of(AblationMode mode);
/// UsageError for another word.
AblationMode parse_ablation_mode(std::string_view text);

struct AblationOptions {
  std::vector<AblationMode> modes{AblationMode::zero, AblationMode::mean, AblationMode::resample};
  Index donors = 8;  ///< passes of resample, each with another donor for every problem
  bool pairs = false, modules = false, leave_one_in = false;  ///< in mode mean
  bool together = false;  ///< all heads at once that alone cost at most 1 or 5 points
};

/// Problems that score, and others that means and donors come from.
struct AblationProblems {
  std::span<const Problem> scored, reference;
};

/// The same for any task.
struct AblationSets {
  ForcedSet scored, reference;
};

Ablation ablate(const Member& member, AblationSets sets, const AblationOptions& options, Team& team,
                const VariantProgress& progress = {});
Ablation ablate(const Member& member, const AblationProblems& problems,
                const AblationOptions& options, Team& team, const VariantProgress& progress = {});

/// "critical" above 10 points, "important" above 1, else "redundant".
std::string_view band_of(double drop);

/// What one ablation did, from the verdicts of its passes (one, or one per donor).
Effect effect_of(const Verdicts& intact, std::span<const Verdicts> ablated, const ForcedSet& set);

/// The heads that matter for one answer: the loss of logit margin, summed over the positions where
/// the answer's own token stands, when the head's mean takes its place; largest first.
struct HeadEffect {
  std::string head;
  double effect = 0;
};
/// The first question of `asked`, means over `reference`.
std::vector<HeadEffect> heads_behind(const Member& member, const ForcedSet& asked,
                                     const ForcedSet& reference, Team& team);
std::vector<HeadEffect> heads_behind(const Member& member, const Problem& problem,
                                     std::span<const Problem> reference, Team& team);

}  // namespace heddle
