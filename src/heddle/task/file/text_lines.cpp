// See text_lines.hpp.
#include "heddle/task/file/text_lines.hpp"

#include <algorithm>
#include <memory>

#include "heddle/base/file.hpp"
#include "heddle/base/index.hpp"
#include "heddle/task/file/example_limits.hpp"
#include "heddle/task/file/text_tokens.hpp"

namespace heddle {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";  // the byte order mark of UTF-8
constexpr std::size_t kShownBytes = 24;             // bytes of what is wrong

/// Where the first character begins that is not well-formed.
std::size_t not_utf8_at(std::string_view line) {
  std::size_t at = 0;
  while (is_utf8(line.substr(at, utf8_bytes(line[at])))) at += utf8_bytes(line[at]);
  return at;
}

}  // namespace

ByteSource open_source(const std::string& path) {
  // A std::function must be copyable; a file is not.
  const auto file = std::make_shared<FileReader>(path);
  ByteSource source;
  source.path = path;
  source.size = file->size();
  source.read = [file](std::span<std::byte> bytes) { file->read(bytes); };
  return source;
}

LineReader::LineReader(ByteSource source, ReadProgress progress)
    : source_(std::move(source)), progress_(std::move(progress)) {
  check_start();
}

bool LineReader::fill() {
  const std::uint64_t count = std::min(source_.block, source_.size - done_);
  if (count == 0) return false;
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + to_size(count));
  source_.read(std::as_writable_bytes(std::span(buffer_).subspan(kept)));
  done_ += count;
  if (progress_) progress_(done_, source_.size);
  return true;
}

void LineReader::check_start() {
  while (buffer_.size() < kMark.size() && fill()) continue;
  check<FileError>(!buffer_.starts_with("\xFF\xFE") && !buffer_.starts_with("\xFE\xFF"),
                   "{} is UTF-16 text; save it as UTF-8", quote_path(path()));
  if (buffer_.starts_with(kMark)) begin_ = kMark.size();
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  for (;;) {
    const std::string_view rest = std::string_view(buffer_).substr(begin_);
    const std::size_t end = rest.find('\n', searched);
    searched = rest.size();
    if (end != std::string_view::npos) {
      line = rest.substr(0, end);
      begin_ += end + 1;
      break;
    }
    if (rest.size() <= ExampleLimits::kLineBytes + 1 && fill()) continue;
    if (rest.empty()) return false;
    line = rest;
    begin_ = buffer_.size();
    break;
  }
  ++number_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() > ExampleLimits::kLineBytes)
    refuse_line(path(), number_, "longer than {} bytes, the most that a line may have",
                format_count(ExampleLimits::kLineBytes));
  check_text(line);
  return true;
}

bool LineReader::next_filled(std::string_view& line) {
  Index blank = 0;
  while (next(line)) {
    if (trimmed(line).empty()) {
      if (blank == 0) blank = number_;
      continue;
    }
    if (blank > 0)
      refuse_line(path(), blank, "empty; blank lines are accepted at the end of the file only");
    return true;
  }
  return false;
}

void LineReader::check_text(std::string_view line) const {
  unsigned bits = 0;
  bool has_nul = false;
  for (const char c : line) {  // one pass that a compiler can make wide
    bits |= static_cast<unsigned char>(c);
    has_nul |= c == '\0';
  }
  if (has_nul)
    refuse_line(path(), number_, "byte {} is NUL; the file must be UTF-8 text",
                line.find('\0') + 1);
  if (bits < 0x80 || is_utf8(line)) return;
  const std::size_t at = not_utf8_at(line);
  refuse_line(path(), number_, "byte {} is not UTF-8: {}", at + 1,
              quote(line.substr(at), kShownBytes));
}

}  // namespace heddle
