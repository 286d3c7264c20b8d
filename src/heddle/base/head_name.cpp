// See head_name.hpp.
#include "heddle/base/head_name.hpp"

#include <fmt/core.h>

#include "heddle/base/text.hpp"

namespace heddle {

std::string HeadName::module() const {
  return fmt::format("{}.{}.{}", stack(), layer, attention());
}

std::string HeadName::text() const {
  return is_head() ? fmt::format("{}.head.{}", module(), number) : module();
}

std::optional<HeadName> parse_head_name(std::string_view text) {
  constexpr std::size_t kOfModule = 3, kOfHead = 5;  // decoder, 1, cross, head, 0
  const std::vector<std::string> parts = split(text, '.');
  if (parts.size() != kOfModule && parts.size() != kOfHead) return std::nullopt;
  const auto layer = parse_int(parts[1]);
  if (!layer) return std::nullopt;
  HeadName name{.decoder = parts[0] == "decoder",
                .layer = *layer,
                .cross = parts[2] == "cross",
                .number = -1};
  if (parts.size() == kOfHead) {
    const auto number = parse_int(parts[4]);
    if (!number || *number < 0) return std::nullopt;
    name.number = *number;
  }
  const bool exists = name.decoder || !name.cross;
  if (!exists || name.text() != text) return std::nullopt;  // "head.01", "encoder.0.mlp"
  return name;
}

std::string module_of(std::string_view head) {
  return std::string(head.substr(0, head.find(".head.")));
}

}  // namespace heddle
