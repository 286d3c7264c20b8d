// A task with the model that learns it: batches, losses, validations.
#pragma once

#include <memory>

#include "heddle/base/parallel.hpp"
#include "heddle/config/config.hpp"
#include "heddle/model/member.hpp"
#include "heddle/record/training_log.hpp"
#include "heddle/task/task.hpp"
#include "heddle/train/watchdogs.hpp"

namespace heddle {

/// One validation: what goes into the log, and what tells a better model from a worse one.
struct Examination {
  LogRow row;  ///< its scores alone; step, time and training loss are the loop's
  std::int64_t correct = 0;
  std::vector<Warning> warnings;
};

/// The weights are the trainer's.
class Learner {
 public:
  explicit Learner(const Config& config);

  const Task& task() const { return *task_; }
  const WeightLayout& layout() const { return model_->layout(); }
  /// Draws the batch of a step; allocates nothing once it has held its largest size.
  void draw(Index step);
  /// What rows `first` … `first + size − 1` of it add to the mean loss. Threads may call it for
  /// different rows at once.
  Var loss(Run& run, Index first, Index size) const;

  /// The score on the validation set, and what the watchdogs say to it.
  Examination examine(const Weights& weights, Team& team, std::int64_t step,
                      Watchdogs& watchdogs) const;
  /// The loss of a model that has learned how frequent the answers are and nothing else.
  double prior_entropy() const;

 private:
  std::uint64_t seed_;
  std::unique_ptr<Task> task_;
  std::unique_ptr<Model> model_;
  Questions questions_;
  EncodedQuestions batch_;
  double weight_ = 1;  // of one position that bears loss
};

}  // namespace heddle
