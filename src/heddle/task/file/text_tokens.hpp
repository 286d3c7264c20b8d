// From text to tokens and back, for tasks that a file brings: words, or characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/config/kinds.hpp"
#include "heddle/task/file/lexicon.hpp"

namespace heddle {

/// The ids of a text that somebody typed. UsageError for an empty text, a token that the lexicon
/// lacks, or more tokens than `longest`.
std::vector<std::int32_t> encode_text(std::string_view text, TokenKind kind, const Lexicon& lexicon,
                                      std::size_t longest);
/// The tokens as one text, words parted by spaces; "?" for an id that the lexicon lacks.
std::string decode_text(std::span<const std::int32_t> ids, TokenKind kind, const Lexicon& lexicon);

/// Space, tab, line feed, vertical tab, form feed, carriage return. Other alphabets' spaces are
/// characters like any other.
constexpr bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
/// Without white space at either end.
std::string_view trimmed(std::string_view text);

/// Bytes of a UTF-8 character by its first byte, which must be one.
constexpr std::size_t utf8_bytes(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte < 0xC0) return 1;
  if (byte < 0xE0) return 2;
  return byte < 0xF0 ? 3 : 4;
}

/// Calls take(token) for each token of well-formed UTF-8.
template <class Take>
void for_each_word(std::string_view text, Take&& take) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    if (is_space(*at)) {
      ++at;
      continue;
    }
    const char* const start = at;
    while (at != end && !is_space(*at)) ++at;
    take(std::string_view(start, to_size(at - start)));
  }
}

template <class Take>
void for_each_character(std::string_view text, Take&& take) {
  text = trimmed(text);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_bytes(text[at]);
    take(is_space(text[at]) ? std::string_view(" ") : text.substr(at, length));
    at += length;
  }
}

template <class Take>
void for_each_token(std::string_view text, TokenKind kind, Take&& take) {
  if (kind == TokenKind::words)
    for_each_word(text, take);
  else
    for_each_character(text, take);
}

}  // namespace heddle
