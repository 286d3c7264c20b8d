// What an ablation did, from the verdicts with and without it.
#pragma once

#include <span>
#include <vector>

#include "heddle/lens/stats/verdicts.hpp"
#include "heddle/record/ablation.hpp"
#include "heddle/task/facets.hpp"

namespace heddle {

/// By what the drops of a set of questions are broken down.
struct Breakdown {
  /// [question] the value of the task's facet "by_carries"; empty where it has none.
  std::vector<Index> carries{};
  Index carry_values = 0;
  /// [position] the column of the digit that is said there, −1 for none; empty: by position alone.
  std::vector<Index> columns{};
  Index column_count = 0;
};
/// `facets` may be null.
Breakdown breakdown_of(const TaskShape& shape, const Facets* facets, const Questions& questions);

/// What one ablation did, from the verdicts of its passes (one, or one per donor).
Effect effect_of(const Verdicts& intact, std::span<const Verdicts> ablated,
                 const EncodedQuestions& set, const Breakdown& breakdown = {});

}  // namespace heddle
