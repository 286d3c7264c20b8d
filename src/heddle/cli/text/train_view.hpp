// What a reader sees while a member trains.
#pragma once

#include <chrono>

#include "heddle/cli/text/console.hpp"
#include "heddle/config/config.hpp"
#include "heddle/task/task.hpp"
#include "heddle/train/loop.hpp"

namespace heddle::cli {

/// Tells the console what the training tells its observer. Must outlive the training.
class TrainView {
 public:
  TrainView(const Config& config, const Task& task, Console& console);

  TrainObserver observer();
  /// The step the training stands at.
  std::int64_t step() const { return step_; }

 private:
  using Clock = std::chrono::steady_clock;

  void started(std::int64_t step, const TrainingLog& log);
  void stepped(const TrainProgress& progress);
  void validated(const LogRow& row);
  void warned(const Warning& warning);
  /// Of this call, not of the whole training.
  double samples_per_second() const;
  /// "  12 s left"; nothing at the end.
  std::string time_left() const;

  const Config* config_;
  std::string note_;      // what is unusual about the data; may be empty
  std::string followed_;  // of labels: whose share is told
  Console* console_;
  std::int64_t first_step_ = 0, step_ = 0;
  double loss_ = 0;  // smoothed: one batch says little
  Clock::time_point begin_;
};

/// The make-up of each split as a table, one line a split.
std::string makeup_text(const std::vector<SplitMakeup>& makeup);

}  // namespace heddle::cli
