// How large a study is: a preset names a list of whole numbers (seeds, steps, problems …), each of
// which can be set. Every study has a struct of its own with
//   static void fields(auto& self, auto&& field) { field("seeds", self.seeds); … }
//   static Scale of(StudyPreset preset);
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/base/fields.hpp"
#include "heddle/base/text.hpp"
#include "heddle/record/claims.hpp"

namespace heddle {

/// No preset leaves an analysis out; smaller ones take smaller samples.
enum class StudyPreset : std::uint8_t { quick, standard, full };
constexpr std::array<std::string_view, 3> names_of(StudyPreset) {
  return {"quick", "standard", "full"};
}

/// One of the numbers.
struct ScaleNumber {
  std::string name;
  std::int64_t value = 0;
};

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

template <class Scale>
std::vector<ScaleNumber> scale_numbers(const Scale& scale) {
  std::vector<ScaleNumber> numbers;
  Scale::fields(scale, [&](std::string_view name, std::int64_t value) {
    numbers.push_back({std::string(name), value});
  });
  return numbers;
}

/// The scale as the results list it.
template <class Scale>
std::vector<NamedValue> named_values(const Scale& scale) {
  std::vector<NamedValue> values;
  for (const ScaleNumber& number : scale_numbers(scale))
    values.push_back({number.name, static_cast<double>(number.value)});
  return values;
}

}  // namespace heddle
