// Records as JSON trees and back, from each record's one list of fields:
//   static void fields(auto& self, auto&& field) { field("drop", self.drop); … }
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "heddle/base/fields.hpp"
#include "heddle/base/json.hpp"
#include "heddle/base/text.hpp"

namespace heddle {

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

/// A record, list, number, kind or text as JSON. A number that is none (no data) becomes null.
template <class T>
Json to_tree(const T& value) {
  if constexpr (HasFields<const T>) {
    Json tree = Json::object();
    T::fields(value, [&](std::string_view name, const auto& part, auto&&...) {
      tree[name] = to_tree(part);
    });
    return tree;
  } else if constexpr (IsVector<T>::value) {
    Json tree = Json::array();
    for (const auto& part : value) tree.push_back(to_tree(part));
    return tree;
  } else if constexpr (Named<T>) {
    return Json(std::string(name_of(value)));
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isfinite(value) ? Json(value) : Json();
  } else {
    return Json(value);
  }
}

/// Reads to_tree() back into `value`; Error names the place that does not fit.
template <class T>
void from_tree(const Json& tree, T& value, const std::string& place = "") {
  const auto must = [&](bool fits, std::string_view wanted) {
    check(fits, "{}: {} is wanted, not {}", place.empty() ? "record" : place, wanted,
          tree.type_name());
  };
  if constexpr (HasFields<T>) {
    must(tree.is_object(), "an object");
    T::fields(value, [&](std::string_view name, auto& part, auto&&...) {
      const std::string inner =
          place.empty() ? std::string(name) : fmt::format("{}.{}", place, name);
      const Json* found = tree.lookup(name);
      check(found != nullptr, "{}: is missing", inner);
      from_tree(*found, part, inner);
    });
  } else if constexpr (IsVector<T>::value) {
    must(tree.is_array(), "a list");
    value.clear();
    value.resize(tree.size());
    for (std::size_t i = 0; i < tree.size(); ++i)
      from_tree(tree[i], value[i], fmt::format("{}[{}]", place, i));
  } else if constexpr (Named<T>) {
    must(tree.is_string(), "a text");
    const auto names = names_of(T{});
    const auto found = std::ranges::find(names, tree.get<std::string>());
    check(found != names.end(), "{}: {} is wanted, not {}", place, accepted_names(names),
          quote(tree.get<std::string>()));
    value = static_cast<T>(found - names.begin());
  } else if constexpr (std::is_same_v<T, bool>) {
    must(tree.is_boolean(), "true or false");
    value = tree.get<bool>();
  } else if constexpr (std::is_floating_point_v<T>) {
    must(tree.is_number() || tree.is_null(), "a number");
    value = tree.is_null() ? std::numeric_limits<T>::quiet_NaN() : tree.get<T>();
  } else if constexpr (std::is_integral_v<T>) {
    must(tree.is_number_integer(), "a whole number");
    value = tree.get<T>();
  } else {
    must(tree.is_string(), "a text");
    value = tree.get<std::string>();
  }
}

template <class T>
T from_tree(const Json& tree) {
  T value{};
  from_tree(tree, value);
  return value;
}

}  // namespace heddle
