// Timing beside the machine's peak: each round measures both, so that their ratio survives noise.
#pragma once

#include <functional>
#include <string>

#include "heddle/base/parallel.hpp"
#include "heddle/record/bench.hpp"

namespace heddle {

struct Workload {
  std::string name, unit;
  std::int64_t batch = 0;  ///< units per call and member
  int members = 1;
  double operations = 0;       ///< nominal, per unit; 0: not counted in operations
  std::function<void()> call;  ///< does the work once
};

/// Seconds that a call takes.
double seconds_of(const std::function<void()>& call);

/// Operations per second of multiply-adds alone, on all threads of the team at once.
double measure_peak(Team& team);

/// Warm-up, then rounds of about `seconds`/rounds each, in which work and multiply-adds take turns
/// of a few milliseconds; fewer rounds where a single call takes longer than a round.
BenchRow measure(const Workload& work, Team& team, double seconds);

/// Units per second over about `seconds`, without warm-up or peak: one turn of a duel.
double rate_of(const Workload& work, double seconds);

}  // namespace heddle
