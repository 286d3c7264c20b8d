// The speed table: what `heddle bench` measures.
#pragma once

#include <functional>
#include <string>

#include "heddle/record/bench.hpp"

namespace heddle {

struct BenchOptions {
  int threads = 1;  ///< rows are measured on 1 thread and on this many
  double seconds_per_row = 1.5;
  std::string only;          ///< measures the rows whose names hold this text; empty: all
  bool duels_found = false;  ///< peers were met under that name: then no row need have it
  std::string program;       ///< itself, to measure how fast it starts; empty: that is left out
  std::function<void(const BenchRow&)> measured;  ///< told row by row; may be empty, may throw
};

/// The machine's own limits; products and other kernels; training steps; answers. UsageError if
/// no row has a name like that.
BenchReport run_benchmarks(const BenchOptions& options);

}  // namespace heddle
