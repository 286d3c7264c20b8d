// See pipe.hpp.
#include "heddle/base/file/pipe.hpp"

#include <array>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "heddle/base/file.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/interrupt.hpp"
#include "heddle/base/text.hpp"

namespace heddle {
namespace {

constexpr std::size_t kPipeBlock = std::size_t{64} << 10U;
constexpr int kLookEvery = 100;  // milliseconds between two looks at Ctrl-C

[[noreturn]] void refuse_pipe(const std::string& path, int error) {
  throw FileError(
      fmt::format("cannot read {}: {}", quote_path(path), std::generic_category().message(error)));
}

/// Until there is something to read, or nobody is left who could write.
void wait_for_writer(const std::string& path, int descriptor) {
  struct pollfd wanted{.fd = descriptor, .events = POLLIN, .revents = 0};
  for (;;) {
    stop_if_interrupted();
    const int ready = ::poll(&wanted, 1, kLookEvery);
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) refuse_pipe(path, errno);
  }
}

}  // namespace

bool may_wait(const std::string& path) {
  struct stat about{};
  return ::stat(path.c_str(), &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

std::string read_pipe(const std::string& path, std::uint64_t most) {
  // Without O_NONBLOCK the opening itself would wait for a writer.
  const Descriptor pipe(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!pipe.open()) refuse_pipe(path, errno);
  std::string text;
  std::array<char, kPipeBlock> block{};
  for (;;) {
    wait_for_writer(path, pipe.number());
    const ssize_t got = ::read(pipe.number(), block.data(), block.size());
    if (got == 0) return text;
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) refuse_pipe(path, errno);
    text.append(block.data(), to_size(got));
    check<FileError>(text.size() <= most,
                     "cannot read {}: it is too large, at most {} bytes are accepted",
                     quote_path(path), most);
  }
}

}  // namespace heddle
