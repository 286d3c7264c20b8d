// The lines of a text file of any size, read in blocks and checked to be UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "heddle/base/check.hpp"
#include "heddle/base/text.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle {

/// Called after each block of a file; may throw, which ends the reading.
using ReadProgress = std::function<void(std::uint64_t bytes_done, std::uint64_t bytes_total)>;

/// Where a reader's bytes come from: `read` fills all of a span, and is asked for `size` bytes in
/// all, up to `block` at a time.
struct ByteSource {
  std::string path;  ///< as errors name it
  std::uint64_t size = 0;
  std::function<void(std::span<std::byte>)> read;
  std::uint64_t block = std::uint64_t{256} << 10U;
};
/// FileError where there is no regular file to read.
ByteSource open_source(const std::string& path);

/// FileError "'pairs.csv', line 3: …".
template <class... Args>
[[noreturn]] void refuse_line(const std::string& path, Index line,
                              fmt::format_string<Args...> message, Args&&... args) {
  throw FileError(fmt::format("{}, line {}: {}", quote_path(path), line,
                              fmt::format(message, std::forward<Args>(args)...)));
}

class LineReader {
 public:
  explicit LineReader(ByteSource source, ReadProgress progress = {});

  /// The next line without its end (LF or CRLF), valid until the next call; false after the last.
  /// FileError for bytes that are not UTF-8, a NUL, or a line above ExampleLimits::kLineBytes.
  bool next(std::string_view& line);
  /// The same, but blank lines are accepted at the end of the file only, and are not given.
  bool next_filled(std::string_view& line);

  /// Of the line given last, from 1.
  Index number() const { return number_; }
  const std::string& path() const { return source_.path; }

 private:
  bool fill();
  void check_start();
  void check_text(std::string_view line) const;

  ByteSource source_;
  ReadProgress progress_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of what is not given yet
  std::uint64_t done_ = 0;
  Index number_ = 0;
};

}  // namespace heddle
