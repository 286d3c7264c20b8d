// Whether a text holds another: what most tests of words ask.
#pragma once

#include <string_view>

namespace heddle {

inline bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace heddle
