// See json_mutator.hpp. Works on the text: nothing here may depend on a parser that is being tried.
#include "tests/fuzz/json_mutator.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "heddle/base/hash.hpp"
#include "heddle/base/index.hpp"

namespace heddle::testing {
namespace {

constexpr std::array<std::string_view, 32> kValues{"0",
                                                   "-1",
                                                   "1",
                                                   "-0",
                                                   "9223372036854775807",
                                                   "9223372036854775808",
                                                   "-9223372036854775808",
                                                   "-9223372036854775809",
                                                   "18446744073709551615",
                                                   "18446744073709551616",
                                                   "9007199254740993",
                                                   "2147483648",
                                                   "-2147483649",
                                                   "4294967296",
                                                   "1e400",
                                                   "-1e308",
                                                   "1e-400",
                                                   "3.0",
                                                   "0.1",
                                                   "null",
                                                   "true",
                                                   "false",
                                                   "\"\"",
                                                   "[]",
                                                   "{}",
                                                   "[[]]",
                                                   "\"../../../x\"",
                                                   "\"/etc/x\"",
                                                   "\"\\u202e\\u0085\\u001b[2J\"",
                                                   "\"```\"",
                                                   "\"\\ud800\"",
                                                   "\"encoder.0.self.head.3\""};

/// Draws numbers below a bound, one after the other.
class Draws {
 public:
  explicit Draws(std::uint64_t state) : state_(state) {}
  std::size_t below(std::size_t bound) {
    state_ = mix_bits(state_ + 0x9E3779B97F4A7C15U);
    return bound == 0 ? 0 : static_cast<std::size_t>(state_ % bound);
  }

 private:
  std::uint64_t state_;
};

struct Part {
  std::size_t begin = 0, end = 0;
};

std::size_t end_of_text(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

/// Every value and key: texts, words, numbers, and lists and objects with all that they hold.
std::vector<Part> parts_of(std::string_view text) {
  std::vector<Part> parts;
  std::vector<std::size_t> open;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      const std::size_t end = end_of_text(text, at);
      parts.push_back({at, end});
      at = end;
    } else if (c == '[' || c == '{') {
      open.push_back(at++);
    } else if (c == ']' || c == '}') {
      ++at;
      if (open.empty()) continue;
      parts.push_back({open.back(), at});
      open.pop_back();
    } else if (std::string_view(" \t\r\n,:").find(c) != std::string_view::npos) {
      ++at;
    } else {
      const std::size_t end = std::min(text.find_first_of(" \t\r\n,:]}[{\"", at + 1), text.size());
      parts.push_back({at, end});
      at = end;
    }
  }
  return parts;
}

/// Around a value: some levels, seldom very many.
std::string wrapped(std::string_view value, std::size_t room, Draws& draws) {
  constexpr std::size_t kDeepest = 1'000'000;
  std::size_t levels = 1 + draws.below(4);
  if (draws.below(4) == 0) levels = 150 + draws.below(100);  // about the limit
  if (draws.below(64) == 0) levels = kDeepest;
  const bool objects = draws.below(2) == 0;
  levels = std::min(levels, room / (objects ? 6 : 2));
  std::string before, after(levels, objects ? '}' : ']');
  for (std::size_t i = 0; i < levels; ++i) before += objects ? "{\"a\":" : "[";
  return before + std::string(value) + after;
}

std::string with(std::string_view text, const Part& part, std::string_view instead) {
  return std::string(text.substr(0, part.begin)).append(instead).append(text.substr(part.end));
}

/// Without a value and one comma beside it.
std::string without(std::string_view text, Part part) {
  while (part.end < text.size() && text[part.end] == ' ') ++part.end;
  if (part.end < text.size() && text[part.end] == ',')
    ++part.end;
  else if (part.begin > 0 && text[part.begin - 1] == ',')
    --part.begin;
  return with(text, part, "");
}

}  // namespace

std::string nested_json(std::size_t levels, bool objects, bool closed) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += objects ? "{\"a\":" : "[";
  if (closed) text += (objects ? "0" : "") + std::string(levels, objects ? '}' : ']');
  return text;
}

std::string mutated_json(std::string_view text, std::size_t most, std::uint64_t choice) {
  Draws draws(choice);
  const std::vector<Part> parts = parts_of(text);
  if (parts.empty()) return std::string(text);
  const Part part = parts[draws.below(parts.size())], other = parts[draws.below(parts.size())];
  const std::string_view value = text.substr(part.begin, part.end - part.begin),
                         taken = text.substr(other.begin, other.end - other.begin);
  std::string changed;
  switch (draws.below(6)) {
    case 0:
      changed = with(text, part, kValues.at(draws.below(kValues.size())));
      break;
    case 1:
      changed = with(text, part, wrapped(value, most - std::min(most, text.size()), draws));
      break;
    case 2:
      changed = without(text, part);
      break;
    case 3:
      changed = with(text, part, taken);
      break;
    case 4:  // twice, in a list or an object
      changed = with(text, part, std::string(value).append(",").append(taken));
      break;
    default:
      changed =
          with(text, part,
               std::to_string(draws.below(3) == 0 ? draws.below(1U << 30U) : draws.below(40)));
  }
  return changed.size() <= most ? changed : std::string(text);
}

}  // namespace heddle::testing
