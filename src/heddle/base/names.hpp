// Enums with names: one table of names beside the enum, in the order of its values.
#pragma once

#include <array>
#include <string_view>
#include <type_traits>

#include "heddle/base/index.hpp"

namespace heddle {

template <std::size_t N>
using Names = std::array<std::string_view, N>;

/// An enum that lists its names: `constexpr Names<2> names_of(Kind)`.
template <class T>
concept Named = std::is_enum_v<T> && requires(T value) { names_of(value); };

template <Named T>
constexpr std::string_view name_of(T value) {
  return names_of(value)[to_size(value)];
}

}  // namespace heddle
