// See parallel.hpp.
#include "heddle/base/parallel.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <system_error>
#include <utility>

#include <sched.h>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"

namespace heddle {
namespace {

constexpr auto kSpin = std::chrono::microseconds(50);  // longer than the gap between two steps

void cpu_pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/// Waits until `value` is no longer `old`: looks for a moment, then sleeps.
void await_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  const auto deadline = std::chrono::steady_clock::now() + kSpin;
  while (value.load(std::memory_order_acquire) == old) {
    for (int i = 0; i < 64 && value.load(std::memory_order_acquire) == old; ++i) cpu_pause();
    if (std::chrono::steady_clock::now() > deadline) {
      value.wait(old, std::memory_order_acquire);
      return;
    }
  }
}

std::atomic<void (*)(int, int)> tell_missing{nullptr};  // NOLINT: whoever asks first for too many

}  // namespace

Team::Team(int size) {
  const auto go_on_with_fewer = [&] {
    if (const auto tell = tell_missing.exchange(nullptr)) tell(size, this->size());
  };
  // Limits on processes or on memory: with those that did start the bits are the same.
  try {
    workers_.reserve(to_size(std::max(size, 1)));
    for (int me = 1; me < size; ++me) workers_.emplace_back([this, me] { serve(me); });
  } catch (const std::system_error&) {
    go_on_with_fewer();
  } catch (const std::bad_alloc&) {
    go_on_with_fewer();
  }
}

Team::~Team() {
  stop_.store(true, std::memory_order_relaxed);
  call_.fetch_add(1, std::memory_order_release);
  call_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Team::run_work(int pieces, Work work) {
  check(!busy_.exchange(true, std::memory_order_acquire),
        "team: called from inside one of its own pieces");
  work_ = work;
  pieces_ = pieces;
  pending_.store(static_cast<std::uint32_t>(workers_.size()), std::memory_order_relaxed);
  call_.fetch_add(1, std::memory_order_release);
  if (!workers_.empty()) call_.notify_all();
  do_pieces(0);
  for (auto left = pending_.load(std::memory_order_acquire); left != 0;
       left = pending_.load(std::memory_order_acquire))
    await_change(pending_, left);
  busy_.store(false, std::memory_order_release);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Team::serve(int me) {
  for (std::uint32_t seen = 0;; ++seen) {
    await_change(call_, seen);
    while (call_.load(std::memory_order_acquire) == seen) call_.wait(seen);  // woken by chance
    if (stop_.load(std::memory_order_relaxed)) return;
    do_pieces(me);
    pending_.fetch_sub(1, std::memory_order_release);
    pending_.notify_one();
  }
}

void Team::do_pieces(int me) noexcept {
  try {
    for (int piece = me; piece < pieces_; piece += size()) work_(piece);
  } catch (...) {
    const std::scoped_lock lock(error_lock_);
    if (!error_) error_ = std::current_exception();
  }
}

void on_missing_threads(void (*tell)(int asked, int started)) {
  tell_missing = tell;
}

int core_count() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace heddle
