// See decimal.hpp.
#include "heddle/base/decimal.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/core.h>

#include "heddle/base/index.hpp"

namespace heddle {
namespace {

constexpr std::string_view kSign = " %";
constexpr std::int64_t kManyThings = 100'000;
constexpr int kSignificantDigits = 3;
constexpr int kLeastPlainExponent = -4;  // below, as above kSignificantDigits, with an exponent

/// |value| = 0.d₁d₂d₃… × 10^exponent, with as few digits as read back as the value.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal shortest(double value) {
  std::array<char, 32> letters{};
  const char* end = std::to_chars(letters.data(), letters.data() + letters.size(), std::abs(value),
                                  std::chars_format::scientific)
                        .ptr;
  const std::string_view text(letters.data(), to_size(end - letters.data()));
  const std::size_t power = text.find('e');
  Decimal decimal{.digits = std::string(text.substr(0, 1)), .exponent = 0};
  if (power > 1) decimal.digits += text.substr(2, power - 2);
  const char* first = text.data() + power + (text[power + 1] == '+' ? 2 : 1);
  std::from_chars(first, end, decimal.exponent);
  ++decimal.exponent;
  return decimal;
}

/// One more in the last digit.
void count_up(std::string& digits) {
  for (std::size_t i = digits.size(); i-- > 0;) {
    if (digits[i] != '9') {
      ++digits[i];
      return;
    }
    digits[i] = '0';
  }
  digits.insert(0, 1, '1');
}

/// The first `count` digits, the last of them rounded half up.
std::string rounded(const std::string& digits, int count) {
  if (count < 0) return "0";
  const auto kept = to_size(count);
  if (kept >= digits.size()) return digits + std::string(kept - digits.size(), '0');
  std::string out = digits.substr(0, kept);
  if (digits[kept] >= '5') count_up(out);
  return out.empty() ? "0" : out;
}

/// |value| × 10^power as the digits of a whole number.
std::string whole_units(double value, int power) {
  const Decimal decimal = shortest(value);
  const std::string units = rounded(decimal.digits, decimal.exponent + power);
  const std::size_t first = units.find_first_not_of('0');
  return first == std::string::npos ? "0" : units.substr(first);
}

/// A point before the last `decimals` digits.
std::string with_point(std::string units, int decimals) {
  const auto after = to_size(decimals);
  if (units.size() <= after) units.insert(0, after + 1 - units.size(), '0');
  if (after > 0) units.insert(units.size() - after, 1, '.');
  return units;
}

/// Units held back from the 100 % or the 0 % that they are not.
std::string held_back(const std::string& units, int decimals, bool all, bool none) {
  const auto after = to_size(decimals);
  if (const std::string whole = "100" + std::string(after, '0'), nines(after + 2, '9');
      units == whole && !all)
    return nines;
  if (units == "0" && !none) return "1";
  return units;
}

}  // namespace

std::string format_fixed(double value, int decimals, int power) {
  if (!std::isfinite(value)) return kNoNumber;
  const std::string units = whole_units(value, power + decimals);
  return (value < 0 && units != "0" ? "-" : "") + with_point(units, decimals);
}

std::string format_significant(double value) {
  if (!std::isfinite(value)) return kNoNumber;
  if (value == 0) return "0";
  Decimal decimal = shortest(value);
  std::string digits = rounded(decimal.digits, kSignificantDigits);
  if (digits.size() > kSignificantDigits) ++decimal.exponent;  // 999.6 became 1000
  const int power = decimal.exponent - 1;
  const std::string sign = value < 0 ? "-" : "";
  if (power >= kLeastPlainExponent && power < kSignificantDigits) {
    std::string text = format_fixed(std::abs(value), kSignificantDigits - 1 - power);
    if (text.find('.') != std::string::npos) text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return sign + text;
  }
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.size() > 1) digits.insert(1, 1, '.');
  return fmt::format("{}{}e{}{:02}", sign, digits, power < 0 ? "-" : "+", std::abs(power));
}

std::string format_points(double fraction, int decimals) {
  return format_fixed(fraction, decimals, 2);
}

std::string format_percent(double fraction, int decimals) {
  if (!(fraction >= 0) || !std::isfinite(fraction))
    return std::isfinite(fraction) ? format_points(fraction, decimals).append(kSign) : kNoNumber;
  const std::string units =
      held_back(whole_units(fraction, decimals + 2), decimals, fraction >= 1, fraction == 0);
  return with_point(units, decimals).append(kSign);
}

std::string format_share(std::int64_t part, std::int64_t whole, int decimals) {
  if (whole <= 0) return kNoNumber;
  std::int64_t unit = 200;
  for (int i = 0; i < decimals; ++i) unit *= 10;
  if (part < 0 || part > (std::numeric_limits<std::int64_t>::max() - whole) / unit ||
      whole > std::numeric_limits<std::int64_t>::max() / 2)
    return format_percent(static_cast<double>(part) / static_cast<double>(whole), decimals);
  const std::string units = std::to_string((part * unit + whole) / (2 * whole));
  return with_point(held_back(units, decimals, part >= whole, part == 0), decimals).append(kSign);
}

std::string format_share(std::int64_t part, std::int64_t whole) {
  return format_share(part, whole, whole >= kManyThings ? 4 : 2);
}

std::string format_percents(std::span<const double> fractions, int decimals,
                            std::string_view separator) {
  std::string all;
  for (const double fraction : fractions) {
    std::string text = format_percent(fraction, decimals);
    if (text.ends_with(kSign)) text.resize(text.size() - kSign.size());
    if (!all.empty()) all += separator;
    all += text;
  }
  return all.append(kSign);
}

std::string format_percent_range(double low, double high, int decimals) {
  return format_percents(std::array{low, high}, decimals, " … ");
}

}  // namespace heddle
