// What the machine itself can do: the lines that every speed is held against.
#pragma once

#include "heddle/base/parallel.hpp"
#include "heddle/record/bench.hpp"

namespace heddle {

/// Multiply-adds and copying, on one thread and on `threads` at once, in turn.
MachineSpeed measure_machine_speed(int threads);

/// How long a program takes to come up (`program` with --version, which must end well), and how
/// long a training takes from nothing to its first step. A program that cannot be started: Error.
StartTimes measure_start(const std::string& program);

}  // namespace heddle
