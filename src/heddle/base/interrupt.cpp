// See interrupt.hpp.
#include "heddle/base/interrupt.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <poll.h>
#include <unistd.h>

namespace heddle {
namespace {

constexpr int kInterruptedExit = 130;
constexpr unsigned kPatience = 1;  // seconds that a stop may take without a word

std::atomic<bool> asked{false};  // NOLINT: a signal has nowhere else to write
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not wait for a lock");

std::atomic<const char*> words_of_stop{nullptr};  // NOLINT: the same

extern "C" void on_interrupt(int /*signal*/) {
  if (asked.exchange(true)) _exit(kInterruptedExit);
  (void)::alarm(kPatience);
}

extern "C" void on_patience_end(int /*signal*/) {
  const char* words = words_of_stop.load();
  if (words == nullptr || !asked.load()) return;
  const int error = errno;  // of whatever was interrupted
  (void)!::write(STDERR_FILENO, words, std::strlen(words));
  errno = error;
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // a write in progress goes on
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void install_interrupt_handler(const char* words) {
  words_of_stop.store(words);
  handle(SIGALRM, on_patience_end);
  handle(SIGINT, on_interrupt);
  handle(SIGTERM, on_interrupt);
}

bool interrupted() {
  return asked.load(std::memory_order_relaxed);
}

void stop_if_interrupted() {
  if (interrupted()) throw Interrupted("stopped");
}

void pause_for(int milliseconds) {
  (void)::poll(nullptr, 0, milliseconds);
}

void clear_interrupt() {
  asked.store(false);
}

}  // namespace heddle
