// How often the test program has asked for memory with `new`.
#pragma once

#include <cstdint>

namespace heddle::testing {

/// False under a sanitizer, which has its own `new`: then the count stays 0.
bool allocations_are_counted();
/// Calls of any operator new so far, from every thread.
std::uint64_t allocations();

}  // namespace heddle::testing
