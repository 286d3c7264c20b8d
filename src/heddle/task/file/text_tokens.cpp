// See text_tokens.hpp.
#include "heddle/task/file/text_tokens.hpp"

#include "heddle/base/check.hpp"
#include "heddle/base/text.hpp"

namespace heddle {
namespace {

constexpr std::size_t kShownToken = 60;      // bytes of a wrong token
constexpr std::int32_t kKnownShown = 12;     // tokens of the lexicon, in an error
constexpr std::size_t kLongestShown = 1000;  // bytes of all of them

std::string known_tokens(const Lexicon& lexicon) {
  std::string text;
  for (std::int32_t id = 0; id < lexicon.size() && id < kKnownShown; ++id) {
    if (id > 0) text += ' ';
    text += lexicon.text(id);
  }
  return quote(text, kLongestShown) + (lexicon.size() > kKnownShown ? " and more" : "");
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::int32_t> encode_text(std::string_view text, TokenKind kind, const Lexicon& lexicon,
                                      std::size_t longest) {
  check<UsageError>(is_utf8(text), "the input {} is not UTF-8", quote(text, kShownToken));
  std::vector<std::int32_t> ids;
  for_each_token(text, kind, [&](std::string_view token) {
    const auto id = lexicon.find(token);
    check<UsageError>(id.has_value(), "unknown token {}; the {} known ones are {}",
                      quote(token, kShownToken), format_count(lexicon.size()),
                      known_tokens(lexicon));
    check<UsageError>(ids.size() < longest, "the input has more than {} tokens",
                      format_count(static_cast<std::int64_t>(longest)));
    ids.push_back(*id);
  });
  check<UsageError>(!ids.empty(), "the input {} has no token", quote(text, kShownToken));
  return ids;
}

std::string decode_text(std::span<const std::int32_t> ids, TokenKind kind, const Lexicon& lexicon) {
  std::string text;
  for (const std::int32_t id : ids) {
    if (kind == TokenKind::words && !text.empty()) text += ' ';
    text += id >= 0 && id < lexicon.size() ? lexicon.text(id) : std::string_view("?");
  }
  return text;
}

}  // namespace heddle
