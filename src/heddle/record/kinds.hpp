// Kinds that records hold: the enums and, beside each, its names as the JSON has them.
#pragma once

#include <cstdint>

#include "heddle/base/fields.hpp"
#include "heddle/base/names.hpp"

namespace heddle {

/// What stands in for a head that is taken out: nothing (off-distribution: it deletes the constant
/// part too), its mean at that position over reference questions, or its output on other questions.
enum class AblationMode : std::uint8_t { zero, mean, resample };
constexpr Names<3> names_of(AblationMode) {
  return {"zero", "mean", "resample"};
}

/// What a drop means: critical above 10 points, important above 1.
enum class Band : std::uint8_t { redundant, important, critical };
constexpr Names<3> names_of(Band) {
  return {"redundant", "important", "critical"};
}

/// Which head a pruning removes next: the one whose removal leaves most right answers (among equals
/// the larger mean margin, then the first), the one with the least gradient importance, or any.
enum class PruneOrder : std::uint8_t { measured, gradient, random };
constexpr Names<3> names_of(PruneOrder) {
  return {"measured", "gradient", "random"};
}

/// What an estimate over the seeds of a population is. share: exact binomial interval; mean:
/// Student's; median: order statistics; worst: none.
enum class EstimateKind : std::uint8_t { share, mean, median, worst };
constexpr Names<4> names_of(EstimateKind) {
  return {"share", "mean", "median", "worst"};
}

/// What an interval speaks of: seeds (Student), or the problems of one seed (Wilson, Newcombe).
enum class IntervalOver : std::uint8_t { seeds, problems };
constexpr Names<2> names_of(IntervalOver) {
  return {"seeds", "problems"};
}

/// What the members of all recipes say of a claim.
enum class Verdict : std::uint8_t { holds, refuted, undecided };
constexpr Names<3> names_of(Verdict) {
  return {"holds", "refuted", "undecided"};
}

}  // namespace heddle
