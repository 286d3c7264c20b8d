// Drawing problems digit by digit.
#include "heddle/task/carry_balance.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace heddle {

namespace {

/// Pairs of digits by what their column does: all with 10·a + b in one list, and where each starts.
struct ColumnKinds {
  std::array<std::uint8_t, 100> pairs{};
  std::array<std::size_t, 4> starts{};
};

constexpr ColumnKinds column_kinds() {
  ColumnKinds kinds;
  std::size_t at = 0;
  for (int kind = 0; kind < 3; ++kind) {
    kinds.starts[static_cast<std::size_t>(kind)] = at;
    for (int pair = 0; pair < 100; ++pair) {
      const int sum = pair / 10 + pair % 10;
      const int own = sum >= 10 ? 0 : sum == 9 ? 1 : 2;
      if (own == kind) kinds.pairs[at++] = static_cast<std::uint8_t>(pair);
    }
  }
  kinds.starts[3] = at;
  return kinds;
}

constexpr ColumnKinds kColumnKinds = column_kinds();

/// As many digits as one 64-bit draw holds, then the next.
void draw_digits(Rng& rng, int digits, Digits& out) {
  static constexpr int kAtOnce = 18;
  for (int first = 0; first < digits; first += kAtOnce) {
    const int last = std::min(digits, first + kAtOnce);
    std::uint64_t range = 1;
    for (int i = first; i < last; ++i) range *= 10;
    std::uint64_t number = rng.below(range);
    for (int i = first; i < last; ++i, number /= 10)
      out[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(number % 10);
  }
}

}  // namespace

Problem draw_uniform(Rng& rng, int digits) {
  Problem problem{.digits = digits};
  draw_digits(rng, digits, problem.a);
  draw_digits(rng, digits, problem.b);
  return problem;
}

Problem draw_carry_balanced(Rng& rng, int digits) {
  Problem problem{.digits = digits};
  for (std::size_t i = 0; i < static_cast<std::size_t>(digits); ++i) {
    const std::size_t kind = rng.below(3);
    const std::size_t first = kColumnKinds.starts[kind];
    const std::size_t count = kColumnKinds.starts[kind + 1] - first;
    const std::uint8_t pair = kColumnKinds.pairs[first + rng.below(count)];
    problem.a[i] = pair / 10;
    problem.b[i] = pair % 10;
  }
  return problem;
}

}  // namespace heddle
