// Tokens as text.
#include "heddle/task/addition/tokens.hpp"

#include <array>

#include "heddle/base/index.hpp"

namespace heddle {

std::string_view token_text(std::int32_t token) {
  static constexpr std::array<std::string_view, kVocabulary> kTexts{
      "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "+", "PAD", "BOS", "EOS"};
  return token >= 0 && token < kVocabulary ? kTexts[to_size(token)] : "?";
}

std::string tokens_text(std::span<const std::int32_t> tokens) {
  std::string text;
  for (const std::int32_t token : tokens) text += token_text(token);
  return text;
}

}  // namespace heddle
