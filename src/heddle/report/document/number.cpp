// See number.hpp.
#include "heddle/report/document/number.hpp"

#include <cmath>

#include <fmt/format.h>

#include "heddle/base/decimal.hpp"
#include "heddle/base/text.hpp"

namespace heddle::report {
namespace {

constexpr double kSmallestP = 0.001;

}  // namespace

std::string with_minus(std::string text) {
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at))
    text.replace(at, 1, "−");
  return text;
}

std::string fixed(double value, int decimals) {
  return with_minus(format_fixed(value, decimals));
}

std::string significant(double value) {
  return with_minus(format_significant(value));
}

std::string percent(double fraction, int decimals) {
  return with_minus(format_percent(fraction, decimals));
}

std::string percent(const Count& count) {
  return format_share(count.correct, count.total);
}

std::string of_total(const Count& count) {
  if (count.total == 0) return kNoData;
  return fmt::format("{} of {}", format_count(count.correct), format_count(count.total));
}

std::string points(double fraction) {
  return with_minus(format_points(fraction));
}

std::string p_value(double p) {
  if (!std::isfinite(p)) return kNoData;
  return p < kSmallestP ? "< 0.001" : fixed(p, 3);
}

std::string interval(const std::string& low, const std::string& high) {
  if (low == kNoData && high == kNoData) return kNoData;
  return fmt::format("[{}, {}]", low, high);
}

}  // namespace heddle::report
