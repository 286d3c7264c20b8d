// See process.hpp.
#include "heddle/base/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/interrupt.hpp"
#include "heddle/base/parallel.hpp"

extern "C" char** environ;  // NOLINT(readability-redundant-declaration): POSIX has it in no header

namespace heddle {
namespace {

/// The words for spawn: where a standard stream is not given, it leads nowhere.
class Streams {
 public:
  explicit Streams(int in = -1, int out = -1) {
    ::posix_spawn_file_actions_init(&actions_);
    lead(STDIN_FILENO, in, O_RDONLY);
    lead(STDOUT_FILENO, out, O_WRONLY);
    lead(STDERR_FILENO, -1, O_WRONLY);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams() { ::posix_spawn_file_actions_destroy(&actions_); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  void lead(int stream, int to, int mode) {
    if (to < 0)
      ::posix_spawn_file_actions_addopen(&actions_, stream, "/dev/null", mode, 0);
    else
      ::posix_spawn_file_actions_adddup2(&actions_, to, stream);
  }

  posix_spawn_file_actions_t actions_{};
};

/// The child's number; −1 if there is none.
pid_t start(std::vector<std::string> words, const Streams& streams) {
  if (words.empty()) return -1;
  std::vector<char*> texts;
  for (std::string& word : words) texts.push_back(word.data());
  texts.push_back(nullptr);
  pid_t child = -1;
  return ::posix_spawnp(&child, texts[0], streams.get(), nullptr, texts.data(), environ) == 0
             ? child
             : -1;
}

int wait_for(pid_t child) {
  if (child < 0) return kNotStarted;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return kNotStarted;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::vector<int> run_programs(const std::vector<std::vector<std::string>>& calls) {
  const auto at_once = to_size(core_count());
  std::vector<pid_t> children(calls.size(), -1);
  std::vector<int> codes(calls.size(), kNotStarted);
  for (std::size_t i = 0; i < calls.size() + at_once; ++i) {
    if (i >= at_once && i - at_once < calls.size())
      codes[i - at_once] = wait_for(children[i - at_once]);
    if (i < calls.size()) children[i] = start(calls[i], Streams());
  }
  return codes;
}

int process_number() {
  return ::getpid();
}

bool process_lives(int number) {
  return ::kill(number, 0) == 0 || errno != ESRCH;
}

ChildProgram::ChildProgram(std::vector<std::string> words) {
  std::array<int, 2> said{}, heard{};
  const std::string name = words.empty() ? "" : words.front();
  check<FileError>(::pipe(said.data()) == 0, "{}: no connection can be made to it", name);
  check<FileError>(::pipe(heard.data()) == 0, "{}: no connection can be made to it", name);
  to_ = said[1];
  from_ = heard[0];
  for (const int own : {to_, from_}) ::fcntl(own, F_SETFD, FD_CLOEXEC);
  child_ = start(std::move(words), Streams(said[0], heard[1]));
  for (const int other : {said[0], heard[1]}) ::close(other);
  if (child_ >= 0) return;
  for (const int own : {to_, from_}) ::close(own);
  throw FileError(fmt::format("{}: cannot be started", name));
}

ChildProgram::~ChildProgram() {
  ::kill(child_, SIGKILL);
  wait_for(child_);
  for (const int own : {to_, from_}) ::close(own);
}

std::optional<std::string> ChildProgram::ask(const std::string& line, double seconds) {
  const std::string text = line + '\n';
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t sent = ::write(to_, text.data() + done, text.size() - done);
    if (sent < 0 && errno != EINTR) return std::nullopt;
    if (sent > 0) done += to_size(sent);
  }
  return read_line(seconds);
}

std::optional<std::string> ChildProgram::read_line(double seconds) const {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  std::string line;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) return std::nullopt;
    pollfd waiting{.fd = from_, .events = POLLIN, .revents = 0};
    constexpr std::int64_t kStep = 200;  // a signal is seen soon enough
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::min(left.count(), kStep)));
    if (ready < 0 && errno != EINTR) return std::nullopt;
    if (interrupted()) return std::nullopt;
    if (ready <= 0) continue;
    char letter = 0;
    if (::read(from_, &letter, 1) <= 0) return std::nullopt;
    if (letter == '\n') return line;
    line += letter;
  }
}

}  // namespace heddle
