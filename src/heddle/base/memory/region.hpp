// Stretches of memory that blocks are cut from, one after another. They lie on large pages where
// the system has some to give: a training step walks through some 40 MB again and again, which in
// pages of 4 KiB is more of them than a processor keeps the addresses of.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace heddle {

/// One stretch. It lives as long as anybody holds it: who cuts pieces off it, and every piece.
class Region {
 public:
  /// A region with room for a piece of `bytes`, held once. Throws std::bad_alloc.
  static Region* make(std::size_t bytes);

  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  /// The next `bytes` of it, 64-byte aligned, as one more holder; null where so many are not left.
  /// For one thread at a time.
  void* cut(std::size_t bytes);
  /// Gives up one hold, from any thread; the last one gives the memory back to the system.
  void release();

 private:
  explicit Region(std::size_t size);
  ~Region() = default;

  std::atomic<std::int64_t> holders_{1};
  std::size_t size_, used_;
};

}  // namespace heddle
