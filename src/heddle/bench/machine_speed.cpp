// See machine_speed.hpp.
#include "heddle/bench/machine_speed.hpp"

#include <cstring>
#include <memory>
#include <vector>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/process.hpp"
#include "heddle/bench/measure.hpp"
#include "heddle/config/presets.hpp"
#include "heddle/train/trainer.hpp"

namespace heddle {
namespace {

constexpr int kYardstickRounds = 9;
constexpr std::size_t kUncached = std::size_t{64} << 20U;  // bytes of each of two buffers a thread
constexpr std::size_t kCached = std::size_t{1} << 20U;

/// Two buffers of one thread, touched by it first.
struct Buffers {
  std::vector<char> from, to;
};

/// Bytes read and written per second while every thread copies `bytes` again and again.
double copy_rate(Team& team, std::vector<Buffers>& buffers, std::size_t bytes) {
  const std::size_t times = kUncached / bytes;
  const double seconds = seconds_of([&] {
    team.run(team.size(), [&](int thread) {
      Buffers& own = buffers[to_size(thread)];
      for (std::size_t i = 0; i < times; ++i) {
        own.from[0] = static_cast<char>(i);  // no copy is like the one before
        std::memcpy(own.to.data(), own.from.data(), bytes);
      }
    });
  });
  return 2.0 * static_cast<double>(bytes * times) * team.size() / seconds;
}

struct Rounds {
  std::vector<double> peak, memory, cache;

  void add(Team& team, std::vector<Buffers>& buffers) {
    constexpr double kGiga = 1e-9;
    peak.push_back(measure_peak(team) * kGiga);
    memory.push_back(copy_rate(team, buffers, kUncached) * kGiga);
    cache.push_back(copy_rate(team, buffers, kCached) * kGiga);
  }
};

std::vector<Buffers> buffers_for(Team& team) {
  std::vector<Buffers> buffers(to_size(team.size()));
  team.run(team.size(), [&](int thread) {
    Buffers& own = buffers[to_size(thread)];
    own.from.assign(kUncached, 1);
    own.to.assign(kUncached, 2);
  });
  return buffers;
}

}  // namespace

MachineSpeed measure_machine_speed(int threads) {
  Team one(1), all(threads);
  std::vector<Buffers> for_one = buffers_for(one), for_all = buffers_for(all);
  Rounds of_one, of_all;
  for (int round = 0; round < kYardstickRounds; ++round) {
    of_one.add(one, for_one);
    of_all.add(all, for_all);
  }
  return {.peak_one = spread_of(of_one.peak),
          .peak_all = spread_of(of_all.peak),
          .memory_one = spread_of(of_one.memory),
          .memory_all = spread_of(of_all.memory),
          .cache_one = spread_of(of_one.cache),
          .cache_all = spread_of(of_all.cache)};
}

StartTimes measure_start(const std::string& program) {
  constexpr double kMilli = 1e3;
  std::vector<double> program_ms, build_ms, step_ms;
  for (int round = 0; round < kYardstickRounds; ++round) {
    int code = kNotStarted;
    program_ms.push_back(
        kMilli * seconds_of([&] { code = run_programs({{program, "--version"}}).front(); }));
    check(code == 0, "{} --version ended with code {}", program, code);
    Team team(1);
    std::unique_ptr<Trainer> trainer;
    build_ms.push_back(
        kMilli * seconds_of([&] { trainer = std::make_unique<Trainer>(preset("default"), team); }));
    step_ms.push_back(kMilli * seconds_of([&] { trainer->step(); }));
  }
  return {
      .program = spread_of(program_ms), .build = spread_of(build_ms), .step = spread_of(step_ms)};
}

}  // namespace heddle
