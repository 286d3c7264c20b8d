// See sequences.hpp.
#include "heddle/config/sequences.hpp"

#include <algorithm>

#include "heddle/base/fields.hpp"
#include "heddle/base/text.hpp"

namespace heddle {

LengthRange parse_lengths(std::string_view text) {
  constexpr std::int64_t kLeast = 2, kMost = 512;
  const std::vector<std::string> parts = split(text, '-');
  const auto least = parse_int(parts.front()), most = parse_int(parts.back());
  check<UsageError>(
      parts.size() <= 2 && least && most && kLeast <= *least && *least <= *most && *most <= kMost,
      "task.lengths={}: accepted is two lengths such as 8-16, from {} to {}", quote(text), kLeast,
      kMost);
  return {.least = *least, .most = *most};
}

std::vector<NegativeKind> parse_kinds(std::string_view text) {
  std::vector<NegativeKind> kinds;
  for (const std::string& name : split(text, ',')) {
    const auto kind = parse_kind<NegativeKind>("task.kinds", name);
    check<UsageError>(std::ranges::find(kinds, kind) == kinds.end(),
                      "task.kinds={}: {} stands there twice; accepted is each kind once",
                      quote(text), name);
    kinds.push_back(kind);
  }
  return kinds;
}

}  // namespace heddle
