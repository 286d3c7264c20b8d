// Indices are signed throughout; the standard library's containers are not. This is the one bridge.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace heddle {

/// A signed index or count that is known to be at least 0, or an enum that counts from 0, as a
/// container takes it. Counts of containers go the other way with std::ssize.
template <typename T>
  requires std::integral<T> || std::is_enum_v<T>
constexpr std::size_t to_size(T index) {
  return static_cast<std::size_t>(index);
}

}  // namespace heddle
