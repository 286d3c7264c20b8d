// See console.hpp.
#include "heddle/cli/text/console.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <system_error>

#include <sys/ioctl.h>
#include <unistd.h>

#include "heddle/base/file.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"

namespace heddle::cli {
namespace {

constexpr std::string_view kEraseLine = "\r\x1b[K";
constexpr std::size_t kUsualWidth = 80;
constexpr std::size_t kLeastWidth = 40;  // below this nothing can be laid out
constexpr std::size_t kMostCells = 30;
constexpr auto kRedraw = std::chrono::milliseconds(100);

std::size_t terminal_width(int stream) {
  struct winsize size{};
  if (::ioctl(stream, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualWidth;
  return size.ws_col;
}

}  // namespace

std::size_t result_width() {
  return std::max(kLeastWidth, terminal_width(STDOUT_FILENO));
}

Console::Console() : terminal_(::isatty(STDERR_FILENO) == 1) {}

void Console::result(std::string text) {
  erase();
  const int error = write_all(STDOUT_FILENO, printable(std::move(text)));
  if (error == EPIPE) throw OutputClosed("the reader of standard output has gone");
  check<FileError>(error == 0, "cannot write to standard output: {}",
                   std::generic_category().message(error));
}

void Console::line(std::string text) {
  erase();
  text += '\n';
  text = printable(std::move(text));
  (void)write_all(STDERR_FILENO, text);  // where nobody listens, there is nobody to tell
}

bool Console::due() const {
  return draws() && Clock::now() - last_drawn_ >= kRedraw;
}

void Console::bar(double share, std::string_view text) {
  if (!due()) return;
  last_drawn_ = Clock::now();
  drawn_ = true;
  const std::size_t width = terminal_width(STDERR_FILENO) - 1;  // a full line would wrap
  share = std::clamp(share, 0.0, 1.0);
  std::string line =
      fmt::format(" {:3.0f} %  {}", std::floor(100 * share), printable(std::string(text)));
  if (line.size() + 6 < width) {
    const std::size_t cells = std::min(kMostCells, width - line.size() - 2);
    const auto full = static_cast<std::size_t>(share * static_cast<double>(cells));
    line.insert(0, fmt::format("[{:#<{}}{:.<{}}]", "", full, "", cells - full));
  }
  (void)write_all(STDERR_FILENO, fmt::format("{}{}", kEraseLine, line.substr(0, width)));
}

void Console::erase() {
  if (drawn_) (void)write_all(STDERR_FILENO, kEraseLine);
  drawn_ = false;
}

}  // namespace heddle::cli
