// See pool.hpp. One list of free blocks per thread and size class: no lock, no sharing.
#include "heddle/base/memory/pool.hpp"

#include <array>
#include <bit>
#include <new>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/base/memory/region.hpp"

namespace heddle {
namespace {

constexpr std::size_t kSmallest = 256;
constexpr int kStepsPerDoubling = 4;  // at most a quarter of a block is slack
constexpr int kClasses = 40 * kStepsPerDoubling;

// Under the address sanitizer every block is one of its own, so that it sees who steps beyond.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kRegions = false;
#else
constexpr bool kRegions = true;
#endif
constexpr std::size_t kLarge = 8UL << 20;  // such a block may have a region for itself

std::atomic<std::uint64_t> fresh_count{0};  // NOLINT: a statistic of the whole process

/// The smallest class whose blocks hold `bytes`: sizes grow by 2^(1/4) steps, linear inside a
/// doubling.
std::pair<int, std::size_t> size_class(std::size_t bytes) {
  if (bytes <= kSmallest) return {0, kSmallest};
  const int doubling = static_cast<int>(std::bit_width((bytes - 1) / kSmallest)) - 1;
  const std::size_t base = kSmallest << doubling;
  const std::size_t step = base / kStepsPerDoubling;
  const std::size_t steps = (bytes - base + step - 1) / step;  // 1 … 4
  return {doubling * kStepsPerDoubling + static_cast<int>(steps), base + steps * step};
}

class FreeLists {
 public:
  FreeLists() = default;
  FreeLists(const FreeLists&) = delete;
  FreeLists& operator=(const FreeLists&) = delete;
  ~FreeLists() {
    for (auto& list : lists_)
      for (MemoryBlock* block : list) destroy(block);
    if (region_ != nullptr) region_->release();
    closed_ = true;
  }

  MemoryBlock* take(std::size_t bytes) {
    const auto [index, capacity] = size_class(bytes);
    auto& list = lists_[to_size(index)];
    if (!closed_ && !list.empty()) {
      MemoryBlock* block = list.back();
      list.pop_back();
      block->holders.store(1, std::memory_order_relaxed);
      return block;
    }
    fresh_count.fetch_add(1, std::memory_order_relaxed);
    MemoryBlock* block = create(MemoryBlock::kHeader + capacity);
    block->size_class = index;
    block->capacity = capacity;
    return block;
  }

  void give(MemoryBlock* block) {
    if (closed_)
      destroy(block);
    else
      lists_[to_size(block->size_class)].push_back(block);
  }

 private:
  MemoryBlock* create(std::size_t bytes) {
    if (!kRegions || closed_)
      return new (::operator new(bytes, std::align_val_t{MemoryBlock::kHeader})) MemoryBlock;
    Region* from = region_;
    void* memory = from != nullptr ? from->cut(bytes) : nullptr;
    if (memory == nullptr) {
      from = Region::make(bytes);
      memory = from->cut(bytes);
      const bool large = bytes > kLarge;
      Region* done = large ? from : std::exchange(region_, from);
      if (done != nullptr) done->release();  // its blocks go on holding it
    }
    auto* block = new (memory) MemoryBlock;
    block->region = from;
    return block;
  }
  static void destroy(MemoryBlock* block) {
    if (block->region != nullptr)
      block->region->release();
    else
      ::operator delete(block, std::align_val_t{MemoryBlock::kHeader});
  }

  std::array<std::vector<MemoryBlock*>, kClasses> lists_;
  Region* region_ = nullptr;  ///< the one that blocks are cut from now
  bool closed_ = false;
};

FreeLists& thread_lists() {
  thread_local FreeLists lists;
  return lists;
}

}  // namespace

std::uint64_t fresh_blocks() {
  return fresh_count.load(std::memory_order_relaxed);
}

BlockRef::BlockRef(std::size_t bytes) : block_(thread_lists().take(bytes)) {}

void BlockRef::release(MemoryBlock* block) {
  thread_lists().give(block);
}

}  // namespace heddle
