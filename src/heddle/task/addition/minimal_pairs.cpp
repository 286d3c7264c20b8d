// See minimal_pairs.hpp.
#include "heddle/task/addition/minimal_pairs.hpp"

#include <cstdlib>
#include <limits>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "heddle/task/addition/carries.hpp"
#include "heddle/task/addition/carry_balance.hpp"

namespace heddle {
namespace {

/// The two digits of one column.
struct Column {
  int a = 0, b = 0;

  int sum() const { return a + b; }
};
struct Flip {
  Column off, on;
};

/// All columns whose digits are at least `least`.
std::vector<Column> columns_from(int least) {
  std::vector<Column> columns;
  for (int a = least; a <= 9; ++a)
    for (int b = least; b <= 9; ++b) columns.push_back({a, b});
  return columns;
}

/// All changes of a column that raise its sum by exactly ten.
std::vector<Flip> flips_from(int least) {
  std::vector<Flip> flips;
  for (const Column& off : columns_from(least))
    for (const Column& on : columns_from(least))
      if (on.sum() == off.sum() + 10) flips.push_back({off, on});
  return flips;
}

/// A column with both digits changed and the same carry, as near as can be to the sizes of the
/// change from → away; equals are equally likely.
Column control_of(Rng& rng, const Column& from, const Column& away, int carry_in, int least) {
  const auto carries = [&](const Column& column) { return column.sum() + carry_in >= 10; };
  const auto off_by = [&](const Column& other) {
    return std::abs(std::abs(other.a - from.a) - std::abs(away.a - from.a)) +
           std::abs(std::abs(other.b - from.b) - std::abs(away.b - from.b));
  };
  int best = std::numeric_limits<int>::max();
  std::vector<Column> nearest;
  for (const Column& other : columns_from(least)) {
    if (other.a == from.a || other.b == from.b || carries(other) != carries(from)) continue;
    const int distance = off_by(other);
    if (distance < best) nearest.clear();
    best = std::min(best, distance);
    if (distance == best) nearest.push_back(other);
  }
  return nearest[rng.below(nearest.size())];
}

Problem with_column(Problem problem, std::size_t at, const Column& column) {
  problem.a[at] = static_cast<std::uint8_t>(column.a);
  problem.b[at] = static_cast<std::uint8_t>(column.b);
  return problem;
}

/// Any digits around the column; the one above it does not sum to 9.
Problem draw_around(Rng& rng, const CarryPairOptions& options) {
  const auto top = to_size(options.digits) - 1;
  const auto above = to_size(options.column) + 1;
  while (true) {
    const Problem problem = draw_uniform(rng, options.digits);
    if (above <= top && problem.a[above] + problem.b[above] == 9) continue;
    if (options.full_length && above <= top && (problem.a[top] == 0 || problem.b[top] == 0))
      continue;
    return problem;
  }
}

}  // namespace

std::vector<CarryPair> draw_carry_pairs(Rng& rng, const CarryPairOptions& options, Index count) {
  check<UsageError>(options.column >= 0 && options.column < options.digits,
                    "carry pairs: column {} of {} digits", options.column, options.digits);
  const auto at = to_size(options.column);
  const bool is_top = options.column == options.digits - 1;
  const int least = options.full_length && is_top ? 1 : 0;
  const std::vector<Flip> flips = flips_from(least);
  std::vector<CarryPair> pairs;
  for (Index i = 0; i < count; ++i) {
    const Problem around = draw_around(rng, options);
    const Flip& flip = flips[rng.below(flips.size())];
    const int carry_in = at > 0 && carries_of(around).out[at - 1] ? 1 : 0;
    const Column off = control_of(rng, flip.off, flip.on, carry_in, least);
    const Column on = control_of(rng, flip.on, flip.off, carry_in, least);
    pairs.push_back({.column = options.column,
                     .off = with_column(around, at, flip.off),
                     .on = with_column(around, at, flip.on),
                     .off_control = with_column(around, at, off),
                     .on_control = with_column(around, at, on)});
  }
  return pairs;
}

}  // namespace heddle
