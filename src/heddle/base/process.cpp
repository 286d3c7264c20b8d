// See process.hpp.
#include "heddle/base/process.hpp"

#include <cerrno>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle/base/parallel.hpp"

extern "C" char** environ;  // NOLINT(readability-redundant-declaration): POSIX has it in no header

namespace heddle {
namespace {

/// The words for spawn: standard streams lead nowhere.
class SilentStreams {
 public:
  SilentStreams() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  SilentStreams(const SilentStreams&) = delete;
  SilentStreams& operator=(const SilentStreams&) = delete;
  ~SilentStreams() { ::posix_spawn_file_actions_destroy(&actions_); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// The child's number; −1 if there is none.
pid_t start(std::vector<std::string> words) {
  if (words.empty()) return -1;
  std::vector<char*> texts;
  for (std::string& word : words) texts.push_back(word.data());
  texts.push_back(nullptr);
  const SilentStreams streams;
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
  const auto at_once = static_cast<std::size_t>(core_count());
  std::vector<pid_t> children(calls.size(), -1);
  std::vector<int> codes(calls.size(), kNotStarted);
  for (std::size_t i = 0; i < calls.size() + at_once; ++i) {
    if (i >= at_once && i - at_once < calls.size())
      codes[i - at_once] = wait_for(children[i - at_once]);
    if (i < calls.size()) children[i] = start(calls[i]);
  }
  return codes;
}

}  // namespace heddle
