// Ctrl-C: a wish to stop, seen at the next good moment.
#pragma once

namespace heddle {

/// From now on SIGINT and SIGTERM raise a flag instead of ending the program; a second one ends it
/// at once with exit code 130. Holds also where the parent had the signals ignored.
void install_interrupt_handler();

/// Whether somebody asked to stop. Cheap: one relaxed load.
bool interrupted();

/// Sleeps; a signal that raises the flag ends it at once.
void pause_for(int milliseconds);

/// Takes the flag down, as if nobody had asked.
void clear_interrupt();

}  // namespace heddle
