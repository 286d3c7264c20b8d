// Numbers as the report prints them, by the rule of base/decimal.hpp and with a real minus: the
// only formatter of tables, sentences and figures.
#pragma once

#include <string>

#include "heddle/base/decimal.hpp"
#include "heddle/record/score.hpp"

namespace heddle::report {

/// What stands where there is no data.
inline constexpr const char* kNoData = kNoNumber;

/// ASCII minus signs as the real one.
std::string with_minus(std::string text);
/// "−0.12": that many decimals, a real minus, never "−0.00"; kNoData for what is no number.
std::string fixed(double value, int decimals);
/// Three significant digits: "0.0123", "7.44e−05".
std::string significant(double value);
/// "99.95 %" of a fraction: 100 only if it is all, 0 only if it is nothing.
std::string percent(double fraction, int decimals);
/// The same of a count; four decimals from 100,000 problems on.
std::string percent(const Count& count);
/// "1,234 of 2,000".
std::string of_total(const Count& count);
/// A fraction as percentage points, one decimal: "12.3".
std::string points(double fraction);
/// "0.034", "< 0.001".
std::string p_value(double p);
/// "[a, b]".
std::string interval(const std::string& low, const std::string& high);

}  // namespace heddle::report
