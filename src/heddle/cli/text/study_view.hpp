// What a reader sees while a population trains.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "heddle/cli/text/console.hpp"
#include "heddle/study/study.hpp"

namespace heddle::cli {

/// The bar, with the time that is left by the pace so far. Must outlive the study.
class StudyView {
 public:
  explicit StudyView(Console& console) : console_(console) {}

  StudyObserver observer();

 private:
  using Clock = std::chrono::steady_clock;

  void progress(double share, const std::string& what);

  Console& console_;
  std::mutex lock_;  // of the console: notes and the bar come from several threads
  Clock::time_point begin_ = Clock::now();
  double first_ = -1;
};

}  // namespace heddle::cli
