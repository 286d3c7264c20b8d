// The tokens of addition. A digit is never a control token.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace heddle {

/// Digits are their own ids, 0 … 9.
inline constexpr std::int32_t kPlus = 10;
inline constexpr std::int32_t kPad = 11;
inline constexpr std::int32_t kBos = 12;
inline constexpr std::int32_t kEos = 13;
inline constexpr std::int32_t kVocabulary = 14;

/// "7", "+", "PAD", "BOS", "EOS"; "?" for what is no token.
std::string_view token_text(std::int32_t token);
/// Tokens as one text: "374+814", "BOS1188".
std::string tokens_text(std::span<const std::int32_t> tokens);

}  // namespace heddle
