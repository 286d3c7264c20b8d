// Modular addition: a b → (a + b) mod p, as one label of p. All inputs are listed and a share of
// them trains; a b and b a always share a split, since knowing one tells the other.
#include "heddle/base/rng.hpp"
#include "heddle/task/rules/rule.hpp"

namespace heddle {
namespace {

/// Pair number i of the p (p + 1) / 2 with a ≤ b, row by row: 0 0, 0 1, …, 1 1, 1 2, …
std::vector<Words> both_orders(std::uint64_t i, std::uint64_t p) {
  std::uint64_t a = 0;
  while (i >= p - a) i -= p - a++;
  const auto low = static_cast<std::int32_t>(a), high = static_cast<std::int32_t>(a + i);
  if (low == high) return {{low, high}};
  return {{low, high}, {high, low}};
}

}  // namespace

TaskShape modular_shape(const TaskConfig& task) {
  return {.labels = true, .words = task.modulus, .classes = task.modulus, .longest_input = 2};
}

Rule modular_rule(const TaskConfig& task) {
  const auto p = static_cast<std::uint64_t>(task.modulus);
  return {.draw =
              [p](Rng& rng, Words& input) {
                input = {static_cast<std::int32_t>(rng.below(p)),
                         static_cast<std::int32_t>(rng.below(p))};
              },
          .answer =
              [p](std::span<const std::int32_t> input, Words& output) {
                const auto a = static_cast<std::uint64_t>(input.front()),
                           b = static_cast<std::uint64_t>(input.back());
                output = {static_cast<std::int32_t>((a + b) % p)};
              },
          .inputs = static_cast<double>(p * p),
          .group = [p](std::uint64_t i) { return both_orders(i, p); },
          .groups = p * (p + 1) / 2,
          .example_input = "3 4",
          .example_pair = "3 4,3 5"};
}

}  // namespace heddle
