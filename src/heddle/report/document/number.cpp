// See number.hpp.
#include "heddle/report/document/number.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "heddle/base/text.hpp"

namespace heddle::report {
namespace {

constexpr double kSmallestP = 0.001;
constexpr std::int64_t kManyProblems = 100'000;

/// ASCII minus signs as the real one.
std::string with_minus(std::string text) {
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at))
    text.replace(at, 1, "−");
  return text;
}

}  // namespace

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) return kNoData;
  const double unit = std::pow(10.0, decimals);
  const double rounded = std::round(value * unit) / unit;
  return with_minus(fmt::format("{:.{}f}", rounded == 0 ? 0.0 : value, decimals));
}

std::string significant(double value) {
  if (!std::isfinite(value)) return kNoData;
  return with_minus(fmt::format("{:.3g}", value));
}

std::string percent(double fraction, int decimals) {
  if (!std::isfinite(fraction)) return kNoData;
  const double unit = std::pow(10.0, decimals);
  double share = std::round(100 * unit * fraction) / unit;
  if (fraction < 1) share = std::min(share, 100 - 1 / unit);
  if (fraction > 0) share = std::max(share, 1 / unit);
  return fmt::format("{} %", fixed(share, decimals));
}

std::string percent(const Count& count) {
  if (count.total == 0) return kNoData;
  return percent(count.share(), count.total >= kManyProblems ? 4 : 2);
}

std::string of_total(const Count& count) {
  if (count.total == 0) return kNoData;
  return fmt::format("{} of {}", format_count(count.correct), format_count(count.total));
}

std::string points(double fraction) {
  return fixed(100 * fraction, 1);
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
