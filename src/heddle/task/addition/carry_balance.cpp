// Drawing problems digit by digit.
#include "heddle/task/addition/carry_balance.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "heddle/base/index.hpp"

namespace heddle {

namespace {

/// The pairs of digits (10·a + b) whose sum lies in least … most.
struct ColumnKind {
  std::array<std::uint8_t, 100> pairs{};
  std::size_t count = 0;
};

constexpr ColumnKind sums_within(int least, int most) {
  ColumnKind kind;
  for (int pair = 0; pair < 100; ++pair) {
    const int sum = pair / 10 + pair % 10;
    if (sum >= least && sum <= most) kind.pairs[kind.count++] = static_cast<std::uint8_t>(pair);
  }
  return kind;
}

constexpr ColumnKind kPasses = sums_within(9, 9);
constexpr ColumnKind kJustStops = sums_within(8, 8), kJustMakes = sums_within(10, 10);
constexpr ColumnKind kStops = sums_within(0, 8), kMakes = sums_within(10, 18);

const ColumnKind& draw_kind(Rng& rng) {
  const std::uint64_t kind = rng.below(3);
  if (kind == 0) return kPasses;
  const bool makes = rng.below(2) == 0;
  if (kind == 1) return makes ? kJustMakes : kJustStops;
  return makes ? kMakes : kStops;
}

/// As many digits as one 64-bit draw holds, then the next.
void draw_digits(Rng& rng, int digits, Digits& out) {
  static constexpr int kAtOnce = 18;
  for (int first = 0; first < digits; first += kAtOnce) {
    const int last = std::min(digits, first + kAtOnce);
    std::uint64_t range = 1;
    for (int i = first; i < last; ++i) range *= 10;
    std::uint64_t number = rng.below(range);
    for (int i = first; i < last; ++i, number /= 10)
      out[to_size(i)] = static_cast<std::uint8_t>(number % 10);
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
  for (std::size_t i = 0; i < to_size(digits); ++i) {
    const ColumnKind& kind = draw_kind(rng);
    const std::uint8_t pair = kind.pairs[rng.below(kind.count)];
    problem.a[i] = pair / 10;
    problem.b[i] = pair % 10;
  }
  return problem;
}

Problem draw_even_sums(Rng& rng, int digits) {
  constexpr std::uint64_t kSums = 19;  // 0 … 18
  Problem problem{.digits = digits};
  for (std::size_t i = 0; i < to_size(digits); ++i) {
    const int sum = rng.below(4) == 0 ? 9 : static_cast<int>(rng.below(kSums));
    const int least = sum > 9 ? sum - 9 : 0, most = sum > 9 ? 9 : sum;
    const int a = least + static_cast<int>(rng.below(static_cast<std::uint64_t>(most - least) + 1));
    problem.a[i] = static_cast<std::uint8_t>(a);
    problem.b[i] = static_cast<std::uint8_t>(sum - a);
  }
  return problem;
}

}  // namespace heddle
