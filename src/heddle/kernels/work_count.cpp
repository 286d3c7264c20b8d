// See work_count.hpp.
#include "heddle/kernels/work_count.hpp"

#include <array>
#include <atomic>

namespace heddle::kernels {
namespace {

// A thread takes the next place for good; threads past the last share them, which costs them time
// but no count. Each place has a cache line of its own.
constexpr std::size_t kPlaces = 64;
struct alignas(64) Place {
  std::atomic<double> count{0};
};
using Places = std::array<Place, kPlaces>;

Places& places() {
  static Places all;
  return all;
}

Place& own_place() {
  static std::atomic<std::size_t> taken{0};
  thread_local Place& mine = places()[taken.fetch_add(1) % kPlaces];
  return mine;
}

}  // namespace

void count_operations(double operations) {
  own_place().count.fetch_add(operations, std::memory_order_relaxed);
}

double counted_operations() {
  double sum = 0;
  for (const Place& place : places()) sum += place.count.load(std::memory_order_relaxed);
  return sum;
}

}  // namespace heddle::kernels
