// Numbers and names of settings, from text and to text.
#include "heddle/base/fields.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "heddle/base/text.hpp"

namespace heddle {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

/// Sets the field to what was parsed, if anything was and its range holds it.
template <class T>
void accept(const Field<T>& field, std::string_view text, std::optional<T> parsed) {
  if (!parsed || !field.range.holds(static_cast<double>(*parsed)))
    throw UsageError(
        fmt::format("{}={}: accepted is {}", field.path, quote(text), field.accepted()));
  field.value = *parsed;
}

/// Whole numbers are shown with all their digits: 1000000000, not 1e+09.
std::string bound_text(double bound) {
  return std::abs(bound) < 0x1p53 && bound == std::floor(bound)
             ? field_text(static_cast<std::int64_t>(bound))
             : field_text(bound);
}

}  // namespace

bool Range::belongs_to(std::string_view kind) const {
  if (owner.empty()) return true;
  for (std::string_view left = owner; !left.empty();) {
    const std::size_t comma = left.find(',');
    if (left.substr(0, comma) == kind) return true;
    left = comma == std::string_view::npos ? "" : left.substr(comma + 1);
  }
  return false;
}

bool Range::holds(double number) const {
  if (!std::isfinite(number)) return false;
  const bool low_enough = open_most ? number < most : number <= most;
  return low_enough && (open_least ? number > least : number >= least);
}

std::string Range::text() const {
  const bool lower = least > -kInfinity;
  const bool upper = most < kInfinity;
  if (lower && upper && !open_least && !open_most)
    return fmt::format("from {} to {}", bound_text(least), bound_text(most));
  std::string out;
  if (lower) out = fmt::format("{} {}", open_least ? "above" : "at least", bound_text(least));
  if (lower && upper) out += " and ";
  if (upper) out += fmt::format("{} {}", open_most ? "below" : "at most", bound_text(most));
  return out;
}

std::string field_text(std::int64_t value) {
  return fmt::format("{}", value);
}
std::string field_text(std::uint64_t value) {
  return fmt::format("{}", value);
}
std::string field_text(double value) {
  return fmt::format("{}", value);
}
std::string field_text(const std::string& value) {
  return value;
}

void parse_field(const Field<std::int64_t>& field, std::string_view text) {
  accept(field, text, parse_int(text));
}
void parse_field(const Field<std::uint64_t>& field, std::string_view text) {
  accept(field, text, parse_unsigned(text));
}
void parse_field(const Field<double>& field, std::string_view text) {
  accept(field, text, parse_double(text));
}
void parse_field(const Field<std::string>& field, std::string_view text) {
  field.value = text;
}

std::size_t parse_name(const std::string& path, std::string_view text,
                       std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) return i;
  throw UsageError(fmt::format("{}={}: accepted is {}{}", path, quote(text), accepted_names(names),
                               did_you_mean(text, {names.begin(), names.end()})));
}

std::string accepted_names(std::span<const std::string_view> names) {
  const std::vector<std::string> all(names.begin(), names.end());
  return join(all, " or ");
}

std::string accepted_number(bool whole, bool negative, const Range& range) {
  const std::string bounds = range.text();
  const std::string_view kind = !whole     ? "a number"
                                : negative ? "a whole number"
                                           : "a whole number from 0 to 18446744073709551615";
  return bounds.empty() ? std::string(kind) : fmt::format("{} {}", kind, bounds);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string> near = nearest(word, known, 1);
  return near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near.front());
}

}  // namespace heddle
