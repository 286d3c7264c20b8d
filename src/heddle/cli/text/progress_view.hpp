// What a long command shows of its way: a bar on a terminal, elsewhere a line now and then.
#pragma once

#include <chrono>
#include <string>

#include "heddle/cli/text/console.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle::cli {

/// Called as work is done, by one thread at a time. Names what is done, the rate and the time left;
/// throws Interrupted if somebody asked to stop.
class ProgressView {
 public:
  /// "ablating", "passes": what is going on, and what is counted.
  ProgressView(Console& console, std::string doing, std::string unit);

  void operator()(Index done, Index total);

 private:
  using Clock = std::chrono::steady_clock;

  std::string text(Index done, Index total) const;

  Console* console_;
  std::string doing_, unit_;
  Clock::time_point begin_ = Clock::now(), told_ = begin_;
};

}  // namespace heddle::cli
