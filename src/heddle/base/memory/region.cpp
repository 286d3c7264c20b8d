// See region.hpp.
#include "heddle/base/memory/region.hpp"

#include <algorithm>
#include <cstdint>
#include <new>

#include <sys/mman.h>

namespace heddle {
namespace {

constexpr std::size_t kLine = 64;               // a cache line; the widest vector, too
constexpr std::size_t kLargePage = 2UL << 20;   // of x86-64 and of most other processors
constexpr std::size_t kUsualSize = 32UL << 20;  // untouched pages of it cost nothing

constexpr std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

/// `size` bytes of zeros that start on a large page. The system chooses the address, so a page more
/// than that is asked for, and what is too much on either side given back.
void* map_on_large_pages(std::size_t size) {
  const std::size_t reserved = size + kLargePage;
  void* memory =
      mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* from = static_cast<std::byte*>(memory);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t before = round_up(address, kLargePage) - address;
  if (before > 0) munmap(from, before);
  munmap(from + before + size, kLargePage - before);
#ifdef MADV_HUGEPAGE
  madvise(from + before, size, MADV_HUGEPAGE);  // a wish: without them it is slower, not wrong
#endif
  return from + before;
}

}  // namespace

Region::Region(std::size_t size) : size_(size), used_(round_up(sizeof(Region), kLine)) {}

Region* Region::make(std::size_t bytes) {
  const std::size_t needed = round_up(sizeof(Region), kLine) + round_up(bytes, kLine);
  if (needed < bytes || needed > SIZE_MAX / 2) throw std::bad_alloc();
  const std::size_t size = round_up(std::max(needed, kUsualSize), kLargePage);
  return new (map_on_large_pages(size)) Region(size);
}

void* Region::cut(std::size_t bytes) {
  const std::size_t take = round_up(bytes, kLine);
  if (take < bytes || take > size_ - used_) return nullptr;
  void* piece = reinterpret_cast<std::byte*>(this) + used_;
  used_ += take;
  holders_.fetch_add(1, std::memory_order_relaxed);
  return piece;
}

void Region::release() {
  if (holders_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const std::size_t size = size_;
  this->~Region();
  munmap(static_cast<void*>(this), size);
}

}  // namespace heddle
