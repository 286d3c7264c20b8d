// What a benchmark measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// A median over rounds with the extremes.
struct Spread {
  double median = 0, low = 0, high = 0;
};
/// UsageError for no values.
Spread spread_of(std::vector<double> values);

/// One kind of work. Rates count `unit`s: problems, sequences, rows, heads, numbers.
struct BenchRow {
  std::string name;
  std::string unit;
  int threads = 1;
  std::int64_t batch = 0;
  int members = 1;
  Spread rate;             ///< units per second
  double nominal = 0;      ///< operations of a unit on paper; 0: not counted in operations
  double executed = 0;     ///< operations of a unit that products and attention really did
  double peak_gflops = 0;  ///< multiply-adds alone, same threads, same rounds
  Spread share_of_peak;    ///< of the nominal operations, round by round
};

/// What the machine itself can do, on one thread and on all.
struct MachineSpeed {
  Spread peak_one, peak_all;      ///< multiply-adds in registers, GFLOP/s
  Spread memory_one, memory_all;  ///< copying what no cache holds, GB/s read and written
  Spread cache_one, cache_all;    ///< the same for 2 MiB
};

/// From the start of the program to its first training step, in milliseconds.
struct StartTimes {
  Spread program;  ///< starting it and leaving it again
  Spread build;    ///< data, model, weights and optimiser
  Spread step;     ///< the first step, which fills the memory pools
};

struct BenchReport {
  std::string isa, version;
  int cores = 0, threads = 1;
  MachineSpeed machine;
  std::vector<BenchRow> rows;
  StartTimes start;
};

/// One contestant beside Heddle, on one number of threads.
struct PeerRate {
  std::string name;
  int threads = 1;
  Spread rate;  ///< of the unit of its duel
};
/// The same work by several, each measured once in every round. A contestant counts with the number
/// of threads that suits it best.
struct PeerDuel {
  std::string name, unit;
  std::int64_t batch = 0;
  std::vector<PeerRate> ours, peers;
  /// Heddle's rate over that of each named peer, round by round.
  struct Ratio {
    std::string peer;
    Spread ratio;
  };
  std::vector<Ratio> ratios;
};
struct PeerReport {
  std::vector<std::string> versions;  ///< who was asked: "PyTorch 1.13.1"
  std::vector<PeerDuel> duels;
};

}  // namespace heddle
