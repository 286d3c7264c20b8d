// Ctrl-C: a wish to stop, seen at the next good moment.
#pragma once

#include "heddle/base/check.hpp"

namespace heddle {

/// Somebody asked to stop (exit code 130).
class Interrupted : public Error {
 public:
  using Error::Error;
};

/// From now on SIGINT and SIGTERM raise a flag instead of ending the program; a second one ends it
/// at once with exit code 130. Holds also where the parent had the signals ignored. A program that
/// is still there a second after the first writes `words`, which must outlive it, to standard
/// error.
void install_interrupt_handler(const char* words = nullptr);

/// Whether somebody asked to stop. Cheap: one relaxed load.
bool interrupted();

/// Throws Interrupted if somebody asked to stop.
void stop_if_interrupted();

/// Sleeps; a signal that raises the flag ends it at once.
void pause_for(int milliseconds);

/// Takes the flag down, as if nobody had asked.
void clear_interrupt();

}  // namespace heddle
