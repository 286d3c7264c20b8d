// What a training asks of its task and model: batches, losses, validations.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/config/config.hpp"
#include "heddle/nn/run.hpp"
#include "heddle/record/training_log.hpp"
#include "heddle/train/watchdogs.hpp"

namespace heddle {

/// One validation: what goes into the log, and what tells a better model from a worse one.
struct Examination {
  LogRow row;  ///< its scores alone; step, time and training loss are the loop's
  std::int64_t correct = 0;
  std::vector<Warning> warnings;
};

/// One task with the model that learns it. The weights are the trainer's.
class Learner {
 public:
  Learner() = default;
  virtual ~Learner() = default;
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  virtual const WeightLayout& layout() const = 0;
  /// Rows of a batch, always as many.
  virtual Index batch() const = 0;
  /// Draws the batch of a step; allocates nothing once it has held its largest size.
  virtual void draw(Index step) = 0;
  /// What rows `first` … `first + size − 1` of it add to the mean loss. Threads may call it for
  /// different rows at once.
  virtual Var loss(Run& run, Index first, Index size) const = 0;

  /// The score on the validation set, and what the watchdogs say to it.
  virtual Examination examine(const Weights& weights, Team& team, std::int64_t step,
                              Watchdogs& watchdogs) const = 0;

  /// The loss of a model that has learned how frequent the labels are and nothing else.
  virtual double prior_entropy() const = 0;
  virtual std::string data_hash() const = 0;
  virtual std::vector<SplitMakeup> makeup() const = 0;
  /// Files that a run keeps beside its weights: name and content.
  virtual std::vector<std::pair<std::string, std::string>> files() const { return {}; }
};

/// The learner of the configuration's task.
std::unique_ptr<Learner> make_learner(const Config& config);

}  // namespace heddle
