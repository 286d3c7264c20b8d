// Drawing without repetition, in either order.
#include "heddle/task/addition/splits.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/base/text.hpp"
#include "heddle/task/addition/carry_balance.hpp"

namespace heddle {

namespace {

/// Unordered pairs, a pair of equals included, of `operands` operands.
Index pairs_of(Index operands) {
  return operands * (operands + 1) / 2;
}

Index power_of_ten(Index exponent) {
  Index power = 1;
  for (Index i = 0; i < exponent; ++i) power *= 10;
  return power;
}

/// Draws until `count` problems have come that `taken` did not hold yet.
template <class Draw>
std::vector<Problem> draw_new(Index count, PairSet& taken, Draw&& draw) {
  std::vector<Problem> problems;
  problems.reserve(to_size(count));
  while (std::ssize(problems) < count) {
    const Problem problem = draw();
    if (taken.insert(problem)) problems.push_back(problem);
  }
  return problems;
}

/// Both operands 10ⁿ⁻¹ … 10ⁿ−1, equally likely.
Problem draw_full_length(Rng& rng, int digits) {
  Problem problem = draw_uniform(rng, digits);
  const auto top = to_size(digits) - 1;
  while (problem.a[top] == 0 || problem.b[top] == 0) problem = draw_uniform(rng, digits);
  return problem;
}

Splits draw_fixed(int digits, std::uint64_t seed) {
  static constexpr Index kAll = Splits::kTrain + 2 * Splits::kHeldOut;
  if (digits < 5) {  // above, there are always enough
    const Index operands = 9 * power_of_ten(digits - 1);
    check<UsageError>(pairs_of(operands) >= kAll,
                      "task.digits={} with task.source=fixed: only {} distinct problems exist, {} "
                      "are needed; accepted is at least 3 digits, or task.source=stream",
                      digits, format_count(pairs_of(operands)), format_count(kAll));
  }
  Splits splits;
  PairSet taken;
  Rng rng(seed, "data.fixed");
  const auto draw = [&] { return draw_full_length(rng, digits); };
  splits.train = draw_new(Splits::kTrain, taken, draw);
  splits.validation = draw_new(Splits::kHeldOut, taken, draw);
  splits.test = draw_new(Splits::kHeldOut, taken, draw);
  return splits;
}

Splits draw_held_out(int digits, std::uint64_t seed) {
  Splits splits;
  Index count = Splits::kHeldOut;
  if (digits < 5) {
    const Index pairs = pairs_of(power_of_ten(digits));
    count = std::min(count, pairs / 5);
    if (count < Splits::kHeldOut)
      splits.note = fmt::format(
          "validation and test hold {} pairs each instead of {}: a fifth of the {} that exist",
          format_count(count), format_count(Splits::kHeldOut), format_count(pairs));
  }
  PairSet taken;
  Rng validation(seed, "data.validation");
  Rng test(seed, "data.test");
  splits.validation = draw_new(count, taken, [&] { return draw_uniform(validation, digits); });
  splits.test = draw_new(count, taken, [&] { return draw_uniform(test, digits); });
  return splits;
}

}  // namespace

Splits draw_splits(const TaskConfig& config, std::uint64_t seed) {
  const auto digits = static_cast<int>(config.digits);
  return config.source == DataSource::fixed ? draw_fixed(digits, seed)
                                            : draw_held_out(digits, seed);
}

}  // namespace heddle
