// See measure.hpp.
#include "heddle/bench/measure.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/kernels/work_count.hpp"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRounds = 9, kFewRounds = 3;
constexpr int kWarmUp = 3;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double units(const Workload& work) {
  return static_cast<double>(work.batch) * work.members;
}

/// Multiply-adds done so far, and how long they took.
struct Peak {
  double operations = 0, seconds = 0;

  /// Another slice of them: about a millisecond.
  void add(Team& team) {
    constexpr std::ptrdiff_t kRoundsOfFma = 400000;
    std::vector<double> done(to_size(team.size()));
    seconds += seconds_of([&] {
      team.run(team.size(),
               [&](int thread) { done[to_size(thread)] = kernels::multiply_adds(kRoundsOfFma); });
    });
    for (const double each : done) operations += each;
  }
};

/// Work and multiply-adds in turns of a few milliseconds: on a machine that others use too, what
/// disturbs the one disturbs the other.
struct Round {
  double calls = 0, seconds = 0;
  Peak peak;

  Round(const Workload& work, Team& team, double least) {
    constexpr double kSlice = 4e-3;
    while (seconds < least) {
      peak.add(team);
      for (double slice = 0; slice < kSlice && seconds < least; ++calls) {
        const double spent = seconds_of(work.call);
        slice += spent;
        seconds += spent;
      }
    }
    peak.add(team);
  }
};

/// Calls until caches and pools are warm; how long the last one took.
double warm_up(const Workload& work, double patience) {
  double spent = 0, once = 0;
  for (int i = 0; i <= kWarmUp && (i == 0 || spent + once < patience); ++i) {
    once = seconds_of(work.call);
    spent += once;
  }
  return std::max(once, 1e-9);
}

}  // namespace

double seconds_of(const std::function<void()>& call) {
  const auto start = Clock::now();
  call();
  return since(start);
}

double measure_peak(Team& team) {
  constexpr int kSlices = 8;
  Peak peak;
  for (int i = 0; i < kSlices; ++i) peak.add(team);
  return peak.operations / peak.seconds;
}

BenchRow measure(const Workload& work, Team& team, double seconds) {
  const double once = warm_up(work, seconds);
  const int rounds = once > seconds / kRounds ? kFewRounds : kRounds;
  const double counted = kernels::counted_operations();
  std::vector<double> rates, peaks, shares;
  double calls = 0;
  for (int i = 0; i < rounds; ++i) {
    const Round round(work, team, seconds / rounds);
    const double rate = round.calls * units(work) / round.seconds;
    const double peak = round.peak.operations / round.peak.seconds;
    calls += round.calls;
    rates.push_back(rate);
    peaks.push_back(peak);
    shares.push_back(rate * work.operations / peak);
  }
  return {.name = work.name,
          .unit = work.unit,
          .threads = team.size(),
          .batch = work.batch,
          .members = work.members,
          .rate = spread_of(rates),
          .nominal = work.operations,
          .executed = (kernels::counted_operations() - counted) / (calls * units(work)),
          .peak_gflops = spread_of(peaks).median * 1e-9,
          .share_of_peak = spread_of(shares)};
}

double rate_of(const Workload& work, double seconds) {
  const auto start = Clock::now();
  double done = 0, spent = 0;
  do {
    work.call();
    done += units(work);
    spent = since(start);
  } while (spent < seconds);
  return done / spent;
}

}  // namespace heddle
