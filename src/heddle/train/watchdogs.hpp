// Watchdogs: what a training should not be silent about.
#pragma once

#include <optional>
#include <vector>

#include "heddle/base/check.hpp"
#include "heddle/config/config.hpp"
#include "heddle/record/score.hpp"
#include "heddle/record/training_log.hpp"
#include "heddle/task/task.hpp"

namespace heddle {

/// The loss is no number any more: this training comes to nothing, whoever tries it again.
class TrainingDiverged : public Error {
 public:
  using Error::Error;
};

/// Each watchdog speaks once.
class Watchdogs {
 public:
  /// What they remember between steps: saved with the training, so that a resumed one hears the
  /// same words.
  struct Memory {
    double smooth_loss = 0;
    std::int64_t on_plateau = 0;
  };

  Watchdogs(const Config& config, double prior_entropy, std::vector<Warning> spoken);

  const Memory& memory() const { return memory_; }
  void remember(const Memory& memory) { memory_ = memory; }

  /// NaN or infinity: TrainingDiverged. Plateau: the loss within 0.01 nat of the prior's entropy
  /// for a fifth of all steps.
  std::optional<Warning> after_step(std::int64_t step, double loss);
  /// Forced ≠ greedy (any difference, question by question). From a fifth of the steps on: constant
  /// first token, at least 99 % of the answers begin with one token though the right ones do not;
  /// constant predictor, one label for at least 99 %.
  std::vector<Warning> after_validation(std::int64_t step, const Score& score,
                                        const TaskTraits& traits = {});

 private:
  std::optional<Warning> speak(std::int64_t step, std::string watchdog, std::string message);

  std::int64_t steps_;
  double entropy_;
  Memory memory_;
  std::vector<Warning> spoken_;
};

}  // namespace heddle
