// Sentences whose every number knows where in results.json it comes from.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heddle/base/check.hpp"

namespace heddle::report {

/// A run of letters: our own words (no digits in them), or something read from the results.
struct Piece {
  std::string text;
  std::string how;                ///< the derivation, docs/report.md; empty: our own words
  std::vector<std::string> from;  ///< paths in results.json: "members.0.test.greedy.correct"
  std::string target;             ///< a section or a file that it leads to; usually empty
};

/// Where a target leads: a name without a dot is a section.
inline std::string address_of(const std::string& target) {
  return target.find('.') == std::string::npos ? "#" + target : target;
}

/// Pieces in a row.
struct Text {
  std::vector<Piece> pieces;

  Text() = default;
  Text(const char* words) : Text(std::string(words)) {}  // NOLINT(google-explicit-constructor)
  Text(std::string words) {                              // NOLINT(google-explicit-constructor)
    if (!words.empty())
      pieces.push_back({.text = std::move(words), .how = "", .from = {}, .target = ""});
  }
  Text(Piece piece) { pieces.push_back(std::move(piece)); }  // NOLINT(google-explicit-constructor)

  Text& operator+=(const Text& other) {
    pieces.insert(pieces.end(), other.pieces.begin(), other.pieces.end());
    return *this;
  }
  bool empty() const { return pieces.empty(); }
  std::string plain() const {
    std::string all;
    for (const Piece& piece : pieces) all += piece.text;
    return all;
  }
};

/// Words with each "{}" replaced by the next part.
template <class... Parts>
Text say(std::string_view words, Parts&&... parts) {
  Text text;
  const std::vector<Text> fills{Text(std::forward<Parts>(parts))...};
  for (const Text& fill : fills) {
    const std::size_t hole = words.find("{}");
    check(hole != std::string_view::npos, "say: more parts than holes");
    text += Text(std::string(words.substr(0, hole)));
    text += fill;
    words.remove_prefix(hole + 2);
  }
  check(words.find("{}") == std::string_view::npos, "say: more holes than parts");
  text += Text(std::string(words));
  return text;
}

/// Texts with a separator between them.
inline Text joined(const std::vector<Text>& texts, std::string_view separator) {
  Text all;
  for (const Text& text : texts) {
    if (!all.empty()) all += Text(std::string(separator));
    all += text;
  }
  return all;
}

}  // namespace heddle::report
