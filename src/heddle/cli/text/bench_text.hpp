// A benchmark's report as one JSON object and as tables.
#pragma once

#include <string>

#include "heddle/record/bench.hpp"

namespace heddle::cli {

/// `peers` may be null: nobody else was measured.
std::string bench_json(const BenchReport& report, const PeerReport* peers);
std::string bench_text(const BenchReport& report, const PeerReport* peers);

}  // namespace heddle::cli
