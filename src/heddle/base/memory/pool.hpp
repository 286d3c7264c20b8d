// Memory for tensors: reference-counted blocks that are kept and handed out again, so that a
// training step, whose requests repeat, allocates nothing after its first time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle {

class Region;

/// A 64-byte aligned run of bytes with the count of its holders.
struct MemoryBlock {
  std::atomic<std::int32_t> holders{1};
  std::int32_t size_class = 0;
  std::size_t capacity = 0;
  Region* region = nullptr;  ///< where it was cut from; null: of its own

  std::byte* bytes() { return reinterpret_cast<std::byte*>(this) + kHeader; }

  static constexpr std::size_t kHeader = 64;  // keeps the bytes aligned for the widest vectors
};

/// How often this process had to ask the system for a new block (a test holds it still).
std::uint64_t fresh_blocks();

/// Shares a block; the last holder gives it back to the pool of its thread.
class BlockRef {
 public:
  BlockRef() = default;
  /// A block of at least `bytes` bytes, from the calling thread's pool if it has one.
  explicit BlockRef(std::size_t bytes);
  BlockRef(const BlockRef& other) noexcept : block_(other.block_) {
    if (block_) block_->holders.fetch_add(1, std::memory_order_relaxed);
  }
  BlockRef(BlockRef&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  BlockRef& operator=(BlockRef other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~BlockRef() {
    if (block_ && block_->holders.fetch_sub(1, std::memory_order_acq_rel) == 1) release(block_);
  }

  explicit operator bool() const { return block_ != nullptr; }
  std::byte* bytes() const { return block_->bytes(); }
  bool unique() const { return block_->holders.load(std::memory_order_acquire) == 1; }

 private:
  static void release(MemoryBlock* block);

  MemoryBlock* block_ = nullptr;
};

}  // namespace heddle
