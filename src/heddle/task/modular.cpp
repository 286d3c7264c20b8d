// Modular addition: a b → (a + b) mod p, as one label of p. All p² inputs are listed and a share of
// them trains, so what is asked was never seen.
#include "heddle/base/rng.hpp"
#include "heddle/task/rule.hpp"

namespace heddle {

Rule modular_rule(const TaskConfig& task) {
  const auto p = static_cast<std::uint64_t>(task.modulus);
  const auto nth = [p](std::uint64_t i, Words& input) {
    input = {static_cast<std::int32_t>(i / p), static_cast<std::int32_t>(i % p)};
  };
  return {.draw = [p, nth](Rng& rng, Words& input) { nth(rng.below(p * p), input); },
          .answer =
              [p](std::span<const std::int32_t> input, Words& output) {
                const auto sum = static_cast<std::uint64_t>(input.front() + input.back());
                output = {static_cast<std::int32_t>(sum % p)};
              },
          .inputs = static_cast<double>(p * p),
          .nth = nth};
}

}  // namespace heddle
