// See axis.hpp.
#include "heddle/report/draw/axis.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace heddle::report {
namespace {

constexpr int kUsualTicks = 5, kMostTicks = 1000;
constexpr double kFarthest = 1e150;  // whose sums and products are numbers still
constexpr double kSlack = 1e-9;      // of a step: a tick at the end of the axis stays

std::string plain_number(double value) {
  if (std::abs(value) < 1e-12) return "0";
  std::string text = fmt::format("{:.6g}", value);
  if (text.starts_with('-')) text.replace(0, 1, "−");
  if (const std::size_t power = text.find("e-0"); power != std::string::npos)
    text.replace(power, 3, "e−");
  return text;
}

std::string count_text(double value) {
  if (std::abs(value) >= 1e6) return plain_number(value / 1e6) + "M";
  if (std::abs(value) >= 1e4) return plain_number(value / 1e3) + "k";
  return plain_number(value);
}

std::string tick_text(double value, TickStyle style) {
  switch (style) {
    case TickStyle::percent:
      return plain_number(100 * value) + " %";
    case TickStyle::count:
      return count_text(value);
    case TickStyle::plain:
      break;
  }
  return plain_number(value);
}

/// The next of 1, 2 and 5 times a power of ten, up or down; a round number stays.
double round_number(double value, bool up) {
  const double decade = std::pow(10.0, std::floor(std::log10(value) + kSlack));
  double below = decade;
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    const double at = factor * decade;
    if (up && at >= value * (1 - kSlack)) return at;
    if (at <= value * (1 + kSlack)) below = at;
  }
  return below;
}

}  // namespace

double nice_step(double range, int wanted, TickStyle style) {
  const bool whole = style == TickStyle::count;
  double rough = range / std::max(wanted, 1);
  if (whole) rough = std::max(rough, 1.0);
  const double unit = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    const double step = factor * unit;
    if (rough <= step * (1 + kSlack) && !(whole && step != std::floor(step))) return step;
  }
  return 10 * unit;
}

Axis::Axis(AxisKind kind, double low, double high, bool nice, TickStyle style)
    : kind_(low > 0 ? kind : AxisKind::linear),  // no logarithm has an axis from 0
      low_(std::clamp(low, -kFarthest, kFarthest)),
      high_(std::clamp(high, -kFarthest, kFarthest)) {
  if (kind_ == AxisKind::log) {
    if (!(high_ > low_)) high_ = low_ * 10;
    if (nice) {
      low_ = round_number(low_, false);
      high_ = round_number(high_, true);
    }
    return;
  }
  if (!(high_ > low_)) {
    low_ -= low_ == 0 ? 0 : std::abs(low_) / 2;
    high_ += high_ == 0 ? 1 : std::abs(high_) / 2;
  }
  if (!nice) return;
  const double step = nice_step(high_ - low_, kUsualTicks, style);
  low_ = std::floor(low_ / step + kSlack) * step;
  high_ = std::ceil(high_ / step - kSlack) * step;
}

double Axis::operator()(double value) const {
  double share = 0;
  if (kind_ == AxisKind::log) {
    share = std::log(std::max(value, low_) / low_) / std::log(high_ / low_);
  } else {
    share = (value - low_) / (high_ - low_);
  }
  return from_ + share * (to_ - from_);
}

std::vector<Tick> Axis::ticks(TickStyle style, int wanted) const {
  std::vector<Tick> ticks;
  const auto add = [&](double value) { ticks.push_back({value, tick_text(value, style)}); };
  if (kind_ == AxisKind::linear) {
    const double step = nice_step(high_ - low_, wanted, style);
    const double first = std::ceil(low_ / step - kSlack);
    const double after = std::floor(high_ / step + kSlack) - first;  // ticks behind the first
    if (!(after >= 0 && after < kMostTicks)) return ticks;  // numbers too large to be told apart
    for (int i = 0; i <= static_cast<int>(after); ++i) add((first + i) * step);
    return ticks;
  }
  const double decades = std::log10(high_ / low_);
  const int last = static_cast<int>(std::floor(std::log10(high_))) + 1;
  for (auto decade = static_cast<int>(std::floor(std::log10(low_))); decade <= last; ++decade)
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor != 1 && decades > 2.2) continue;  // they would touch
      const double value = factor * std::pow(10.0, decade);
      if (value >= low_ * (1 - kSlack) && value <= high_ * (1 + kSlack)) add(value);
    }
  return ticks;
}

std::vector<Tick> ticks_at(const std::vector<double>& values, TickStyle style) {
  std::vector<Tick> ticks;
  for (const double value : values) ticks.push_back({value, tick_text(value, style)});
  return ticks;
}

void Extent::add(double value) {
  if (!std::isfinite(value)) return;
  low = any ? std::min(low, value) : value;
  high = any ? std::max(high, value) : value;
  any = true;
}

}  // namespace heddle::report
