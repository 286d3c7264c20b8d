// Linear probes for carries: at which places of a pass can each carry bit be read off, beside what
// a probe would find anyway.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "heddle/lens/places.hpp"
#include "heddle/record/circuit.hpp"
#include "heddle/task/addition/problem.hpp"

namespace heddle {

/// Problems that fit the probes, and others that score them.
struct ProbeProblems {
  std::vector<Problem> train, test;
};
/// Drawn by draw_even_sums from the streams "probe.train" and "probe.test" of the member's seed, no
/// pair of operands (in either order) twice; fewer where so many do not exist.
ProbeProblems draw_probe_problems(const Config& config, Index train, Index test);

struct ProbeOptions {
  bool heads = true;         ///< each head's z beside the residual stream
  int least = 5, most = 15;  ///< the controls' k, 10 left out
};

/// Called as places are done; may throw.
using ProbeProgress = std::function<void(Index done, Index total)>;

/// At every position of the residual stream and of every head's output:
///   "carry.c"               the carry out of column c;
///   "carry_in.c | sum 9"    the same of column c − 1, where column c sums to 9, fitted and scored
///   on
///                           such problems alone: only there does a carry-in decide a carry.
/// Each probe is a ridge regression on ±1 (see Ridge), scored on as many test problems with the bit
/// as without. Controls, fitted and scored alike: [a + b ≥ k] of the same column for k ≠ 10; the
/// same bit in the untrained model (same settings, weights from the stream "probe.untrained"); the
/// same bit with a quarter of the column's digit pairs (either order) kept out of the fit and
/// scored on these alone. NaN where a score has no problems of one kind.
Probing probe_member(const Member& member, const ProbeProblems& problems,
                     const ProbeOptions& options, Team& team, const ProbeProgress& progress = {});

}  // namespace heddle
