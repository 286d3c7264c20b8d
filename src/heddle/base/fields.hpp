// The one list of fields of a settings struct, walked: names, texts, ranges, help. A struct says
//   static void fields(auto& self, auto&& field) { field("heads", self.heads, "help", at_least(1));
//   … }
// and an enum `constexpr auto names_of(Kind)`, its names in the order of its values.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/names.hpp"

namespace heddle {

/// What a setting accepts: numbers between bounds, or a text.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool open_least = false;   ///< least itself is refused
  bool open_most = false;    ///< most itself is refused
  std::string_view words{};  ///< of a text: what may stand there
  std::string_view owner{};  ///< the kinds of owners that have this setting, with commas between
                             ///< them; empty: all have it
  /// The value of a setting that was added later, where a file does not have it.
  std::string_view when_missing{};
  bool written = true;  ///< false: files do not have it while it has that value

  bool holds(double number) const;
  /// Whether this kind of owner has the setting.
  bool belongs_to(std::string_view kind) const;
  /// "from 1 to 64", "above 0", "at least 0 and below 1"; empty when everything is accepted.
  std::string text() const;
};
constexpr Range at_least(double least) {
  return {.least = least};
}
constexpr Range above(double least) {
  return {.least = least, .open_least = true};
}
constexpr Range within(double least, double most) {
  return {.least = least, .most = most};
}
/// least ≤ x < most.
constexpr Range from_below(double least, double most) {
  return {.least = least, .most = most, .open_most = true};
}

/// A text; `words` says what may stand there.
constexpr Range text_of(std::string_view words) {
  return {.words = words};
}

/// The same for a setting that only some kinds of owners have.
constexpr Range only_for(std::string_view owner, Range range = {}) {
  range.owner = owner;
  return range;
}

/// The same for a setting that some files are older than: where it is missing it has this value,
/// and this value leaves hashes alone.
constexpr Range added_later(std::string_view when_missing, Range range = {}) {
  range.when_missing = when_missing;
  return range;
}
/// The same, and this value is not written: files stay as they were before the setting.
constexpr Range left_out_when(std::string_view value, Range range = {}) {
  range.when_missing = value;
  range.written = false;
  return range;
}

/// A struct that lists its fields.
template <class T>
concept HasFields = requires(T& owner) { std::remove_const_t<T>::fields(owner, [](auto&&...) {}); };

/// One setting on a walk: its path ("model.heads"), its value, what it means and accepts.
template <class T>
struct Field {
  using Value = std::remove_const_t<T>;

  std::string path;
  T& value;
  std::string_view help;
  Range range;

  /// "most or least" · "a whole number from 1 to 64" · "a number above 0" · a text's words.
  std::string accepted() const;
};

/// Calls visit(Field) for every setting of `owner`, groups inside it included, in list order.
template <class Owner, class Visit>
void walk(Owner& owner, Visit&& visit, const std::string& group = "") {
  const auto step = [&]<class T>(std::string_view name, T& value, std::string_view help,
                                 const Range& range = {}) {
    const std::string path = group.empty() ? std::string(name) : fmt::format("{}.{}", group, name);
    if constexpr (HasFields<T>) {
      walk(value, visit, path);
    } else {
      visit(Field<T>{path, value, help, range});
    }
  };
  std::remove_const_t<Owner>::fields(owner, step);
}

/// A value as a user types it and as the help shows it. Numbers read back to the same bits.
std::string field_text(std::int64_t value);
std::string field_text(std::uint64_t value);
std::string field_text(double value);
std::string field_text(const std::string& value);
template <Named T>
std::string field_text(T value) {
  return std::string(name_of(value));
}

/// A value from its text, within the range; UsageError: the path, the text, what is accepted.
void parse_field(const Field<std::int64_t>& field, std::string_view text);
void parse_field(const Field<std::uint64_t>& field, std::string_view text);
void parse_field(const Field<double>& field, std::string_view text);
/// Any text is taken: what it may say is checked by whoever knows.
void parse_field(const Field<std::string>& field, std::string_view text);
/// Which of `names` the text is; UsageError names the nearest.
std::size_t parse_name(const std::string& path, std::string_view text,
                       std::span<const std::string_view> names);
/// The kind of that name; UsageError as above.
template <Named T>
T parse_kind(const std::string& path, std::string_view text) {
  return static_cast<T>(parse_name(path, text, names_of(T{})));
}
template <Named T>
void parse_field(const Field<T>& field, std::string_view text) {
  field.value = parse_kind<T>(field.path, text);
}

/// Throws UsageError unless the value lies in the field's range (a value may be set without text).
template <class T>
void check_range(const Field<T>& field) {
  if constexpr (std::is_arithmetic_v<typename Field<T>::Value>)
    check<UsageError>(field.range.holds(static_cast<double>(field.value)), "{}={}: accepted is {}",
                      field.path, field_text(field.value), field.accepted());
}

/// "a or b or c".
std::string accepted_names(std::span<const std::string_view> names);
std::string accepted_number(bool whole, bool negative, const Range& range);
/// " (did you mean 'heads'?)", or nothing where no known name is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

template <class T>
std::string Field<T>::accepted() const {
  if constexpr (Named<Value>) {
    return accepted_names(names_of(value));
  } else if constexpr (std::is_same_v<Value, std::string>) {
    return std::string(range.words);
  } else {
    return accepted_number(std::integral<Value>, std::is_signed_v<Value>, range);
  }
}

}  // namespace heddle
