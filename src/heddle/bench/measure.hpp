// Timing beside the machine's peak: each round measures both, so that their ratio survives noise.
#pragma once

#include <functional>
#include <string>

#include "heddle/base/parallel.hpp"
#include "heddle/record/bench.hpp"

namespace heddle {

struct Workload {
  std::string name;
  std::int64_t batch = 0;  ///< samples per call
  int members = 1;
  double operations = 0;       ///< nominal, per sample
  std::function<void()> call;  ///< does the work once
};

/// Operations per second of multiply-adds alone, on all threads of the team at once.
double measure_peak(Team& team);

/// Warm-up, then rounds of about `seconds`/rounds each, every one beside a measurement of the peak.
BenchRow measure(const Workload& work, Team& team, double seconds);

}  // namespace heddle
