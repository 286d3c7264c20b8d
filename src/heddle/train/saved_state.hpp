// The files of a run: what is saved along the way, and how an interrupted training finds back.
#pragma once

#include <string>

#include "heddle/nn/weights.hpp"
#include "heddle/record/training_log.hpp"
#include "heddle/train/trainer.hpp"
#include "heddle/train/watchdogs.hpp"

namespace heddle {

/// Where a training stands, apart from its tensors.
struct SavedState {
  std::int64_t step = 0;
  double seconds = 0;
  double loss_sum = 0;  ///< since the last row of the log
  std::int64_t loss_count = 0;
  std::int64_t best_correct = 0;
  double best_loss = 0;
  Watchdogs::Memory watchdogs;
  TrainingLog log;
};

/// RUN/model.safetensors (best), RUN/last.safetensors, RUN/training_log.{json,csv},
/// RUN/state/training.safetensors. Each is replaced whole; the state alone decides where to go on.
class RunFiles {
 public:
  explicit RunFiles(std::string run) : run_(std::move(run)) {}

  /// A state or weights are there.
  bool begun() const;
  bool finished() const;
  /// Reads the state back into the trainer's buffers; false if there is none yet. FileError, one
  /// line, for one that is damaged, of other settings, of other data than saved.log says or of
  /// another instruction set.
  bool restore(Trainer& trainer, SavedState& saved, const Weights& best) const;
  void save(Trainer& trainer, const SavedState& saved, const Weights& best) const;
  void save_best(const Trainer& trainer, const SavedState& saved, const Weights& best) const;
  /// The weights of this step, for looking at the training later.
  void save_snapshot(Trainer& trainer, const TrainingLog& log, std::int64_t step) const;
  /// The last files of a training that has run all its steps.
  void finish(Trainer& trainer, const SavedState& saved, const Weights& best) const;

 private:
  std::string path(const char* name) const { return run_ + "/" + name; }
  void save_log(const TrainingLog& log) const;
  /// FileError unless a training that is like `now` can go on from what was saved.
  void check_goes_on(const SavedState& saved, const TrainingLog& now, const Config& config) const;

  std::string run_;
};

}  // namespace heddle
