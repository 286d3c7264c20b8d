// Calls the built program as a user does: words in; exit code, standard output and error out.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/base/temp_folder.hpp"
#include "tests/unit/base/thread_limit.hpp"

namespace heddle {

inline std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline std::string weights_of(const std::string& run) {
  return file_bytes(run + "/model.safetensors");
}

inline void put_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// What a call came to.
struct Outcome {
  int code = -1;  ///< its exit code; −signal if a signal ended it
  std::string out, err;

  /// Standard error is one line that begins with the program's name.
  bool one_line() const {
    return err.starts_with("heddle: ") && std::ranges::count(err, '\n') == 1 && err.back() == '\n';
  }
};

struct CallOptions {
  rlim_t most_file_bytes = 0;      ///< 0: any
  const char* out_path = nullptr;  ///< where standard output goes instead
  int out_descriptor = -1;         ///< the same, open already
  bool out_closed = false;         ///< there is no standard output
  int err_descriptor = -1;         ///< where standard error goes instead
  bool no_threads = false;         ///< it may start none
};

/// The program, running.
class Program {
 public:
  explicit Program(std::vector<std::string> words, const CallOptions& options = {}) {
    words.insert(words.begin(), HEDDLE_PROGRAM);
    std::vector<char*> texts;
    for (std::string& word : words) texts.push_back(word.data());
    texts.push_back(nullptr);
    const std::string out = options.out_path == nullptr ? folder_ / "out" : options.out_path;
    const std::string err = folder_ / "err";
    child_ = ::fork();
    if (child_ == 0) {
      // A shell lets what it runs in the background ignore Ctrl-C, and children inherit that.
      ::signal(SIGINT, SIG_DFL);
      redirect(STDOUT_FILENO, out);
      redirect(STDERR_FILENO, err);
      if (options.out_descriptor >= 0) ::dup2(options.out_descriptor, STDOUT_FILENO);
      if (options.out_closed) ::close(STDOUT_FILENO);
      if (options.err_descriptor >= 0) ::dup2(options.err_descriptor, STDERR_FILENO);
      if (options.no_threads) (void)forbid_threads();
      if (options.most_file_bytes > 0) {
        const rlimit limit{options.most_file_bytes, options.most_file_bytes};
        ::setrlimit(RLIMIT_FSIZE, &limit);
      }
      ::execv(texts[0], texts.data());
      ::_exit(127);
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    if (!running_) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

  void send(int signal) const { ::kill(child_, signal); }
  std::string err_so_far() const { return file_bytes(folder_ / "err"); }
  bool running() {
    if (running_ && ::waitpid(child_, &status_, WNOHANG) == child_) running_ = false;
    return running_;
  }
  /// Waits until `done` holds or the program ends; looks every millisecond.
  template <class Done>
  void wait_until(Done done) {
    while (running() && !done()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  Outcome wait() {
    if (running_) ::waitpid(child_, &status_, 0);
    running_ = false;
    const int code = WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
    return {code, file_bytes(folder_ / "out"), file_bytes(folder_ / "err")};
  }

 private:
  static constexpr mode_t kFileMode = 0600;

  static void redirect(int stream, const std::string& path) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT, kFileMode);
    ::dup2(file, stream);
    ::close(file);
  }

  TempFolder folder_;
  pid_t child_ = -1;
  bool running_ = true;
  int status_ = 0;
};

inline Outcome heddle_call(std::vector<std::string> words, const CallOptions& options = {}) {
  return Program(std::move(words), options).wait();
}

/// How a program that is killed again and again came to its end.
struct Killed {
  int times = 0;
  std::string surprise;  ///< what it said when it ended by itself with an error; empty otherwise
};
/// Calls the program, kills it at a random moment, calls it again, until it gets to its end or
/// `attempts` are over. The n-th call lives `patience` times n, and up to as much as `spread`
/// longer: so a slow machine gets there too.
inline Killed kill_again_and_again(const std::vector<std::string>& words, int attempts,
                                   std::chrono::microseconds patience,
                                   std::chrono::microseconds spread) {
  Killed killed;
  unsigned random = 4711;
  for (int attempt = 1; attempt < attempts; ++attempt) {
    Program program(words);
    random = random * 1103515245U + 12345U;
    std::this_thread::sleep_for(attempt * patience +
                                std::chrono::microseconds(random >> 16U) % spread);
    program.send(SIGKILL);
    const Outcome outcome = program.wait();
    if (outcome.code == 0) break;
    if (outcome.code != -SIGKILL) {
      killed.surprise = outcome.err + " (code " + std::to_string(outcome.code) + ")";
      break;
    }
    ++killed.times;
  }
  return killed;
}

/// The words that train a tiny member, with more of them at the end.
inline std::vector<std::string> tiny_training(const std::string& run,
                                              const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"train",   "addition", "--out",      run,
                                 "--set",   "digits=1", "d_model=16", "d_ff=32",
                                 "heads=2", "steps=40", "batch=32",   "eval_every=20"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace heddle
