// Which instruction set the float kernels use: found at start, or pinned.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::kernels {

/// Names of the levels that this build has and this machine can run, slowest first
/// (x86: "baseline", "avx2", "avx512"; elsewhere "baseline" alone).
std::vector<std::string> isa_levels();
/// The level in use: the fastest one unless pinned.
std::string_view isa();
/// Uses `level` from now on; call before any weights are packed. Unknown or impossible: UsageError.
void pin_isa(std::string_view level);

/// Multiply-adds in registers alone, `rounds` times a few dozen: returns how many operations that
/// were, so that the caller's clock gives the machine's peak at this level.
double multiply_adds(std::ptrdiff_t rounds);

}  // namespace heddle::kernels
