// Text: near names, globs over dotted paths, strict numbers, and numbers as people read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// 'word' as an error message shows it: on one line, cut after `most` bytes, whatever the bytes
/// are.
std::string quote(std::string_view word, std::size_t most = 200);
/// The same for a path, which is shown whole.
inline std::string quote_path(std::string_view path) {
  return quote(path, 4 * path.size());
}
/// A text of any lines as a terminal may have it: tabs and line ends stay; other control characters
/// (a terminal obeys some of them), marks that turn the direction of writing and bytes that are no
/// UTF-8 become "\x1b", "\u202e". Within JSON the value stays the same: there the former are
/// escaped already, and "\u202e" is what JSON writes too.
std::string printable(std::string text);

/// Whether the bytes are well-formed UTF-8.
bool is_utf8(std::string_view text);

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
/// (Damerau-Levenshtein, no place edited twice).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Up to `count` candidates that a misspelt `word` may have meant, nearest first, equals in the
/// given order. What differs in more than 1 + a quarter of the word's letters is not near.
std::vector<std::string> nearest(std::string_view word, std::span<const std::string> candidates,
                                 std::size_t count);

/// Whether a dotted path fits a pattern: `*` is any characters within one segment, `**` anything.
/// Time grows with pattern × path, never faster.
bool matches(std::string_view pattern, std::string_view path);

/// "a,b,,c" at ',' gives a, b, "", c; an empty text gives one empty piece.
std::vector<std::string> split(std::string_view text, char separator);
std::string join(std::span<const std::string> pieces, std::string_view separator);

/// The whole text as a decimal number in range; no spaces, no plus sign, no locale.
std::optional<std::int64_t> parse_int(std::string_view text);
/// The same for real numbers; infinities and NaN are refused.
std::optional<double> parse_double(std::string_view text);

/// "0.042 s", "8.3 s", "1 m 23 s", "2 h 5 m", "3 d 4 h"; "?" for what is no duration.
std::string format_seconds(double seconds);
/// 1000000 as "1,000,000".
std::string format_count(std::int64_t count);

}  // namespace heddle
