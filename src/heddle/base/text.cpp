// See text.hpp.
#include "heddle/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include "heddle/base/index.hpp"

namespace heddle {
namespace {

constexpr double kLongestSeconds = 1e15;  // beyond, whole seconds are not exact

/// Bytes of the well-formed UTF-8 character at the start of `text`, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) return text.empty() ? 0 : 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool overlong = first == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = first == 0xED && byte(1) > 0x9F;
    return !overlong && !surrogate && follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool overlong = first == 0xF0 && byte(1) < 0x90;
    const bool beyond = first == 0xF4 && byte(1) > 0x8F;
    return !overlong && !beyond && follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

/// Whether a terminal obeys a character of so many bytes instead of showing it: control characters,
/// and those that end a line or turn the direction of what follows.
bool steers_terminal(std::string_view text, std::size_t length) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (length == 1) return byte(0) < 0x20 || byte(0) == 0x7F;
  if (length == 2)  // U+0080 … U+009F and U+061C
    return (byte(0) == 0xC2 && byte(1) < 0xA0) || (byte(0) == 0xD8 && byte(1) == 0x9C);
  if (length != 3 || byte(0) != 0xE2) return false;
  if (byte(1) == 0x80)  // U+200E, U+200F, U+2028 … U+202E
    return byte(2) == 0x8E || byte(2) == 0x8F || (byte(2) >= 0xA8 && byte(2) <= 0xAE);
  return byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9;  // U+2066 … U+2069
}

/// Whether the text begins with a character that may be shown as it is.
bool shows(std::string_view text, std::size_t length) {
  return length > 0 && !steers_terminal(text, length);
}

/// How the start of a text is shown that shows() refuses.
std::string escaped(std::string_view text, std::size_t length) {
  const auto byte = [&](std::size_t i) { return unsigned{static_cast<unsigned char>(text[i])}; };
  if (length == 2) return fmt::format("\\u{:04x}", (byte(0) & 0x1FU) << 6U | (byte(1) & 0x3FU));
  if (length == 3)
    return fmt::format("\\u{:04x}",
                       (byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU));
  return fmt::format("\\x{:02x}", byte(0));
}

/// A real number's whole text; what std::from_chars accepts beyond decimals is refused by the
/// caller.
template <class T>
std::optional<T> parse_whole(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::string quote(std::string_view word, std::size_t most) {
  std::string out = "'";
  while (!word.empty()) {
    const std::size_t length = utf8_length(word);
    const std::string shown =
        shows(word, length) ? std::string(word.substr(0, length)) : escaped(word, length);
    if (out.size() - 1 + shown.size() > most) return out + "…'";
    out += shown;
    word.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out + "'";
}

std::string printable(std::string text) {
  const auto plain = [](char c) { return c >= 0x20 && c < 0x7F; };
  std::string out;
  for (std::string_view left = text; !left.empty();) {
    const std::size_t run = to_size(std::ranges::find_if_not(left, plain) - left.begin());
    if (run == text.size()) return text;
    out += left.substr(0, run);
    left.remove_prefix(run);
    if (left.empty()) break;
    const std::size_t length = utf8_length(left);
    const bool stays = left.front() == '\n' || left.front() == '\t' || shows(left, length);
    out += stays ? std::string(left.substr(0, length)) : escaped(left, length);
    left.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows i-2, i-1 and i of the table of distances between prefixes.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::vector<std::string> nearest(std::string_view word, std::span<const std::string> candidates,
                                 std::size_t count) {
  const std::size_t limit = 1 + word.size() / 4;
  std::vector<std::pair<std::size_t, std::size_t>> near;  // distance, place in the list
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::size_t length = candidates[i].size();
    // The distance is at least the difference in length: a word of any length costs little.
    if (std::max(length, word.size()) - std::min(length, word.size()) > limit) continue;
    const std::size_t distance = edit_distance(word, candidates[i]);
    if (distance <= limit) near.emplace_back(distance, i);
  }
  std::ranges::sort(near);
  if (near.size() > count) near.resize(count);
  std::vector<std::string> names;
  names.reserve(near.size());
  for (const auto& [distance, i] : near) names.push_back(candidates[i]);
  return names;
}

bool matches(std::string_view pattern, std::string_view path) {
  // fits[i]: the pattern up to here fits the first i characters of the path.
  std::vector<char> fits(path.size() + 1, 0);
  fits[0] = 1;
  for (std::size_t p = 0; p < pattern.size(); ++p) {
    if (pattern[p] != '*') {
      for (std::size_t i = path.size(); i > 0; --i)
        fits[i] = fits[i - 1] != 0 && path[i - 1] == pattern[p] ? 1 : 0;
      fits[0] = 0;
      continue;
    }
    const bool anything = pattern.substr(p, 2) == "**";
    if (anything) p = std::min(pattern.find_first_not_of('*', p), pattern.size()) - 1;
    for (std::size_t i = 1; i <= path.size(); ++i)
      if (fits[i - 1] != 0 && (anything || path[i - 1] != '.')) fits[i] = 1;
  }
  return fits.back() != 0;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  for (;;) {
    const std::size_t at = text.find(separator);
    pieces.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return pieces;
    text.remove_prefix(at + 1);
  }
}

std::string join(std::span<const std::string> pieces, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) out += separator;
    out += pieces[i];
  }
  return out;
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  return parse_whole<std::int64_t>(text);
}

std::optional<double> parse_double(std::string_view text) {
  const auto value = parse_whole<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string format_seconds(double seconds) {
  if (!(seconds >= 0 && seconds < kLongestSeconds)) return "?";
  if (seconds < 0.9995) return fmt::format("{:.3f} s", seconds);
  if (seconds < 60 - 0.05) return fmt::format("{:.1f} s", seconds);
  const std::int64_t whole = std::llround(seconds);
  const std::int64_t minutes = whole / 60;
  const std::int64_t hours = minutes / 60;
  if (hours == 0) return fmt::format("{} m {} s", minutes, whole % 60);
  if (hours < 24) return fmt::format("{} h {} m", hours, minutes % 60);
  return fmt::format("{} d {} h", hours / 24, hours % 24);
}

std::string format_count(std::int64_t count) {
  std::string text = fmt::format("{}", count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

}  // namespace heddle
