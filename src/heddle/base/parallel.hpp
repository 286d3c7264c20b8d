// The only threading: a fixed team of threads that runs numbered pieces of work.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace heddle {

/// A call of one piece of work: no ownership, no allocation.
class Work {
 public:
  Work() = default;
  template <class F>
  explicit Work(const F& body)
      : body_(&body), call_([](const void* f, int piece) { (*static_cast<const F*>(f))(piece); }) {}
  void operator()(int piece) const { call_(body_, piece); }

 private:
  const void* body_ = nullptr;
  void (*call_)(const void*, int) = nullptr;
};

/// A team of `size` threads, the caller being the first; fewer where the system starts no more.
/// Piece i always goes to thread i mod size, so what a thread keeps (its memory pool) fits the next
/// time too. Workers spin briefly for the next call, then park: a busy machine is not made busier.
class Team {
 public:
  explicit Team(int size);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  /// Runs body(0) … body(pieces − 1) and waits for all. The first error is thrown here. A piece
  /// may not call its own team: Error.
  template <class F>
  void run(int pieces, const F& body) {
    run_work(pieces, Work(body));
  }

 private:
  void run_work(int pieces, Work work);
  void serve(int me);
  void do_pieces(int me) noexcept;

  std::vector<std::thread> workers_;
  Work work_;
  int pieces_ = 0;
  std::atomic<std::uint32_t> call_{0};     // counts the calls; workers wait for it to change
  std::atomic<std::uint32_t> pending_{0};  // workers still busy with this call
  std::atomic<bool> stop_{false};
  std::atomic<bool> busy_{false};  // inside run()
  std::mutex error_lock_;
  std::exception_ptr error_;
};

/// Calls `tell` when a team gets fewer threads than it asked for, the first time in this process.
void on_missing_threads(void (*tell)(int asked, int started));

/// Number of cores this process may use.
int core_count();

}  // namespace heddle
