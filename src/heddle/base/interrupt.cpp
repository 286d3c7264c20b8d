// See interrupt.hpp.
#include "heddle/base/interrupt.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>

#include <poll.h>
#include <unistd.h>

namespace heddle {
namespace {

constexpr int kInterruptedExit = 130;

std::atomic<bool> asked{false};  // NOLINT: a signal has nowhere else to write
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not wait for a lock");

extern "C" void on_interrupt(int /*signal*/) {
  if (asked.exchange(true)) _exit(kInterruptedExit);
}

}  // namespace

void install_interrupt_handler() {
  struct sigaction action{};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;  // a write in progress goes on
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
  return asked.load(std::memory_order_relaxed);
}

void pause_for(int milliseconds) {
  (void)::poll(nullptr, 0, milliseconds);
}

void clear_interrupt() {
  asked.store(false);
}

}  // namespace heddle
