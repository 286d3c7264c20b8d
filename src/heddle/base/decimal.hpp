// Numbers as people read them, rounded by one rule: half away from zero, on the exact quotient of
// two counts, else on the shortest decimal number that reads back as the double, which is the one
// that stands in JSON files. report/web/numbers.js is the twin of this file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace heddle {

/// What stands where there is no number.
inline constexpr const char* kNoNumber = "–";

/// value × 10^power with that many decimals: "-0.13"; never "-0.00".
std::string format_fixed(double value, int decimals, int power = 0);
/// Three significant digits, no zeros at the end: "0.0123", "7.44e-05".
std::string format_significant(double value);
/// A fraction as percentage points: "12.3", "-0.4".
std::string format_points(double fraction, int decimals = 1);
/// "99.95 %" of a fraction: 100 only if it is all, 0 only if it is nothing.
std::string format_percent(double fraction, int decimals);
/// The same of `part` things out of `whole`; kNoNumber if there are none.
std::string format_share(std::int64_t part, std::int64_t whole, int decimals);
/// With two decimals, and four from 100,000 things on.
std::string format_share(std::int64_t part, std::int64_t whole);
/// Several fractions before one sign: "16.6 35.9 47.5 %".
std::string format_percents(std::span<const double> fractions, int decimals,
                            std::string_view separator = " ");
/// "12.34 … 15.00 %".
std::string format_percent_range(double low, double high, int decimals);

}  // namespace heddle
