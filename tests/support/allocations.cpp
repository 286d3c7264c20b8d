// See allocations.hpp: every operator new of the program is replaced by one that counts.
#include "tests/support/allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#ifdef HEDDLE_SANITIZED

namespace heddle::testing {
bool allocations_are_counted() {
  return false;
}
std::uint64_t allocations() {
  return 0;
}
}  // namespace heddle::testing

#else

namespace {
std::atomic<std::uint64_t> count{0};  // NOLINT: a statistic of the whole program

void* counted(std::size_t bytes, std::size_t alignment) {
  count.fetch_add(1, std::memory_order_relaxed);
  const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
}  // namespace

namespace heddle::testing {
bool allocations_are_counted() {
  return true;
}
std::uint64_t allocations() {
  return count.load(std::memory_order_relaxed);
}
}  // namespace heddle::testing

// Arrays and the non-throwing forms call these.
void* operator new(std::size_t bytes) {
  return counted(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

#endif
