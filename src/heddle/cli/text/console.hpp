// The two ways out: the result on standard output, everything else on standard error.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "heddle/base/check.hpp"
#include "heddle/base/interrupt.hpp"

namespace heddle::cli {

/// Whoever read the result has seen enough: no failure.
class OutputClosed : public Error {
 public:
  using Error::Error;
};

class Console {
 public:
  Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console() { erase(); }

  void set_quiet(bool quiet) { quiet_ = quiet; }

  /// Writes to standard output. FileError if that fails, OutputClosed if nobody reads. What would
  /// steer a terminal is shown instead (printable()), here and in all that follows.
  void result(std::string text);
  /// A line for the reader; not with --quiet.
  template <class... Args>
  void note(fmt::format_string<Args...> message, Args&&... args) {
    if (!quiet_) line(fmt::format(message, std::forward<Args>(args)...));
  }
  /// A line that must be seen.
  template <class... Args>
  void warn(fmt::format_string<Args...> message, Args&&... args) {
    line(fmt::format(message, std::forward<Args>(args)...));
  }

  /// Standard error is a terminal and may be drawn on.
  bool draws() const { return terminal_ && !quiet_; }
  /// Whether a redraw is due: at most ten a second.
  bool due() const;
  /// Draws the bar: share done from 0 to 1 and what stands beside it, cut to the terminal's width.
  void bar(double share, std::string_view text);
  /// Takes the bar away.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  void line(std::string text);

  bool quiet_ = false;
  bool terminal_ = false;
  bool drawn_ = false;
  Clock::time_point last_drawn_;
};

/// Columns that a line of the result may have: the terminal's, or 80 where there is none.
std::size_t result_width();

}  // namespace heddle::cli
