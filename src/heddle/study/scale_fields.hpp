// The whole numbers of a study's scale by their names: set from text, listed in the results.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heddle/base/fields.hpp"
#include "heddle/base/text.hpp"
#include "heddle/record/claims.hpp"

namespace heddle {

/// Sets one number by its name; UsageError with the nearest known name, or for no whole number.
template <class Scale>
void set_scale(Scale& scale, std::string_view name, std::string_view text) {
  std::vector<std::string> names;
  bool known = false;
  Scale::fields(scale, [&](std::string_view field, std::int64_t& value) {
    names.emplace_back(field);
    if (field != name) return;
    const auto number = parse_int(text);
    check<UsageError>(number && *number >= 0, "study.{}={}: accepted is a whole number from 0 on",
                      name, quote(text));
    value = *number;
    known = true;
  });
  check<UsageError>(known, "there is no setting study.{}{}", name, did_you_mean(name, names));
}

/// The scale as the results list it.
template <class Scale>
std::vector<NamedValue> named_values(const Scale& scale) {
  std::vector<NamedValue> values;
  Scale::fields(scale, [&](std::string_view name, std::int64_t value) {
    values.push_back({std::string(name), static_cast<double>(value)});
  });
  return values;
}

}  // namespace heddle
