// See shell_word.hpp.
#include "heddle/config/shell_word.hpp"

#include <string_view>

namespace heddle {
namespace {

/// What needs no quotes in a shell.
constexpr std::string_view kNeedsNoQuotes =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";

}  // namespace

std::string shell_quoted(const std::string& word) {
  if (!word.empty() && word.find_first_not_of(kNeedsNoQuotes) == std::string::npos) return word;
  std::string out = "'";
  for (const char letter : word) {
    if (letter == '\'') {
      out += "'\\''";
    } else {
      out += letter;
    }
  }
  return out + "'";
}

}  // namespace heddle
