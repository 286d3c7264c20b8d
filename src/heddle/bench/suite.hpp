// The speed table: what `heddle bench` measures.
#pragma once

#include <functional>

#include "heddle/record/bench.hpp"

namespace heddle {

struct BenchOptions {
  int threads = 1;  ///< rows are measured on 1 thread and on this many
  double seconds_per_row = 1.5;
  std::function<void(const BenchRow&)> measured;  ///< told row by row; may be empty
};

/// Training steps at several batch sizes, greedy decoding, and scoring (forced and greedy).
BenchReport run_benchmarks(const BenchOptions& options);

}  // namespace heddle
