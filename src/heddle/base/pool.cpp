// See pool.hpp. One list of free blocks per thread and size class: no lock, no sharing.
#include "heddle/base/pool.hpp"

#include <array>
#include <bit>
#include <new>
#include <vector>

namespace heddle {
namespace {

constexpr std::size_t kSmallest = 256;
constexpr int kStepsPerDoubling = 4;  // at most a quarter of a block is slack
constexpr int kClasses = 40 * kStepsPerDoubling;

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
    closed_ = true;
  }

  MemoryBlock* take(std::size_t bytes) {
    const auto [index, capacity] = size_class(bytes);
    auto& list = lists_[static_cast<std::size_t>(index)];
    if (!closed_ && !list.empty()) {
      MemoryBlock* block = list.back();
      list.pop_back();
      block->holders.store(1, std::memory_order_relaxed);
      return block;
    }
    fresh_count.fetch_add(1, std::memory_order_relaxed);
    void* memory =
        ::operator new(MemoryBlock::kHeader + capacity, std::align_val_t{MemoryBlock::kHeader});
    auto* block = new (memory) MemoryBlock;
    block->size_class = index;
    block->capacity = capacity;
    return block;
  }

  void give(MemoryBlock* block) {
    if (closed_)
      destroy(block);
    else
      lists_[static_cast<std::size_t>(block->size_class)].push_back(block);
  }

 private:
  static void destroy(MemoryBlock* block) {
    ::operator delete(block, std::align_val_t{MemoryBlock::kHeader});
  }

  std::array<std::vector<MemoryBlock*>, kClasses> lists_;
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
