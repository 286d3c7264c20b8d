// A whole training into a run's folder: validates, logs, keeps the best, survives any stop.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/config/config.hpp"
#include "heddle/record/training_log.hpp"

namespace heddle {

/// Where a training stands.
struct TrainProgress {
  std::int64_t step = 0, steps = 0;
  std::int64_t samples = 0;
  double loss = 0;
};

/// Who is told what happens. Any of them may be empty.
struct TrainObserver {
  std::function<void(std::int64_t step, const TrainingLog&)> started;  ///< from `step` on
  std::function<void(const TrainProgress&)> stepped;
  std::function<void(const LogRow&)> validated;
  std::function<void(const Warning&)> warned;
  std::function<bool()> stop;  ///< true: save and leave
  /// Steps whose weights are kept as RUN/snapshots/step_<number>.safetensors.
  std::vector<std::int64_t> snapshots;
};

/// The file of one of them.
std::string snapshot_name(std::int64_t step);

enum class TrainOutcome : std::uint8_t { finished, was_finished, stopped };

/// A run that holds this file when its training begins starts from these weights instead of drawing
/// them from the seed: fine-tuning. Once there is a saved state, the file is not read again.
inline constexpr const char* kStartWeights = "start.safetensors";

/// Trains the member of `config` in folder `run`. An unfinished run of the same configuration goes
/// on where its last saved state stands, bit for bit; of another configuration it is refused.
TrainOutcome train_run(const Config& config, const std::string& run, Team& team,
                       const TrainObserver& observer);

}  // namespace heddle
