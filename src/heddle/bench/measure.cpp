// See measure.hpp.
#include "heddle/bench/measure.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

#include "heddle/kernels/isa.hpp"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRounds = 9;
constexpr int kWarmUp = 3;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

double measure_peak(Team& team) {
  constexpr std::ptrdiff_t kRoundsOfFma = 400000;  // some milliseconds
  std::vector<double> operations(static_cast<std::size_t>(team.size()));
  const auto start = Clock::now();
  team.run(team.size(), [&](int thread) {
    operations[static_cast<std::size_t>(thread)] = kernels::multiply_adds(kRoundsOfFma);
  });
  const double seconds = since(start);
  double total = 0;
  for (const double o : operations) total += o;
  return total / seconds;
}

BenchRow measure(const Workload& work, Team& team, double seconds) {
  for (int i = 0; i < kWarmUp; ++i) work.call();
  auto start = Clock::now();
  work.call();
  const double once = std::max(since(start), 1e-9);
  const auto calls = std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds / kRounds / once));
  std::vector<double> rates, peaks, shares;
  for (int round = 0; round < kRounds; ++round) {
    const double before = measure_peak(team);
    start = Clock::now();
    for (std::int64_t i = 0; i < calls; ++i) work.call();
    const double rate = static_cast<double>(calls * work.batch * work.members) / since(start);
    const double peak = std::max(before, measure_peak(team));
    rates.push_back(rate);
    peaks.push_back(peak);
    shares.push_back(rate * work.operations / peak);
  }
  const double rate = median(rates);
  return {.name = work.name,
          .threads = team.size(),
          .batch = work.batch,
          .members = work.members,
          .samples_per_s = rate,
          .slowest = std::ranges::min(rates),
          .fastest = std::ranges::max(rates),
          .gflops = rate * work.operations * 1e-9,
          .peak_gflops = median(peaks) * 1e-9,
          .share_of_peak = median(shares)};
}

}  // namespace heddle
