// Smaller models in training: a pruned member taught a little more, and the control that never had
// the heads.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "heddle/model/member.hpp"
#include "heddle/record/pruning.hpp"
#include "heddle/task/addition/problem.hpp"
#include "heddle/train/loop.hpp"

namespace heddle {

/// What became of a member without the heads that went for free.
enum class SmallerKind : std::uint8_t { pruned, fine_tuned, from_scratch };
constexpr std::array<std::string_view, 3> names_of(SmallerKind) {
  return {"pruned", "fine-tuned", "from scratch"};
}

struct FineTuning {
  std::int64_t steps = 200;
  double lr = 1e-4;
};

/// Where a smaller model is trained and what scores it. The problems must be unseen by this
/// training too: fine-tuning draws from the member's own stream, from its first step on, so
/// problems unseen by max(steps) steps of that stream are.
struct SmallerRun {
  std::string folder;
  std::span<const Problem> scored;
};

/// Trains a cut member on from where it stands; the folder is a run like any other, with the cut
/// weights in start.safetensors. Goes on after a stop, and a finished one is only scored. Nothing
/// when the observer stopped it. UsageError if the folder began from other weights or settings.
std::optional<SmallerModel> fine_tune(const Member& cut, const FineTuning& how,
                                      const SmallerRun& run, Team& team,
                                      const TrainObserver& observer = {});

/// Trains the same shape from nothing, with the settings as they are.
std::optional<SmallerModel> from_scratch(const Config& config, const SmallerRun& run, Team& team,
                                         const TrainObserver& observer = {});

/// The settings of a fine-tuning: its steps and rate, a tenth of it warm-up.
Config fine_tune_config(const Config& config, const FineTuning& how);

}  // namespace heddle
