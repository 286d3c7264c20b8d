// What a benchmark measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

struct BenchRow {
  std::string name;
  int threads = 1;
  std::int64_t batch = 0;
  int members = 1;
  double samples_per_s = 0;         ///< median of the rounds
  double slowest = 0, fastest = 0;  ///< samples/s of the slowest and fastest round
  double gflops = 0;                ///< nominal operations per second
  double peak_gflops = 0;           ///< multiply-adds alone, same threads, same rounds
  double share_of_peak = 0;         ///< median over rounds of their ratio
};

struct BenchReport {
  std::string isa, version;
  int cores = 0;
  std::vector<BenchRow> rows;
};

}  // namespace heddle
