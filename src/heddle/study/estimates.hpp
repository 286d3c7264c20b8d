// What an estimate over the seeds of a population is, and what its interval speaks of.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle {

/// share: exact binomial interval; mean: Student's; median: order statistics; worst: none.
enum class EstimateKind : std::uint8_t { share, mean, median, worst };
constexpr std::array<std::string_view, 4> names_of(EstimateKind) {
  return {"share", "mean", "median", "worst"};
}

/// Over seeds (Student), or over the problems of one seed (Wilson, Newcombe).
enum class IntervalOver : std::uint8_t { seeds, problems };
constexpr std::array<std::string_view, 2> names_of(IntervalOver) {
  return {"seeds", "problems"};
}

}  // namespace heddle
