// From data to paper: linear and logarithmic axes with ticks that people would choose.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::report {

enum class AxisKind : std::uint8_t { linear, log };
/// How ticks are written: a plain number, a fraction as a percentage, a count with k and M (there
/// are no halves of what is counted).
enum class TickStyle : std::uint8_t { plain, percent, count };

struct Tick {
  double value = 0;
  std::string text;
};

/// A stretch of numbers mapped onto a stretch of paper.
class Axis {
 public:
  Axis() = default;
  /// An axis that covers [low, high]; widened to whole ticks if `nice`. A log axis needs low > 0.
  Axis(AxisKind kind, double low, double high, bool nice = true,
       TickStyle style = TickStyle::plain);

  /// Lays the axis on paper, from where its low end stands to where its high end does.
  void lay_out(double from, double to) {
    from_ = from;
    to_ = to;
  }
  double operator()(double value) const;

  double low() const { return low_; }
  double high() const { return high_; }
  AxisKind kind() const { return kind_; }
  /// About `wanted` ticks (linear), or decades with 2 and 5 between them while they are few (log).
  std::vector<Tick> ticks(TickStyle style, int wanted = 5) const;

 private:
  AxisKind kind_ = AxisKind::linear;
  double low_ = 0, high_ = 1;
  double from_ = 0, to_ = 1;
};

/// Ticks at given values.
std::vector<Tick> ticks_at(const std::vector<double>& values, TickStyle style);

/// 1, 2, 2.5 or 5 times a power of ten: the step that gives about `wanted` ticks. Of a count a
/// whole number.
double nice_step(double range, int wanted, TickStyle style = TickStyle::plain);

/// The range of the finite numbers among these; {0, 1} of none.
struct Extent {
  double low = 0, high = 1;
  bool any = false;
  void add(double value);
};

}  // namespace heddle::report
