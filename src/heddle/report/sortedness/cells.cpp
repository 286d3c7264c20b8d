// See cells.hpp.
#include "heddle/report/sortedness/cells.hpp"

namespace heddle::report {

Text length_head(const SortSource& source, const Populations& populations, std::int64_t length) {
  const SortEstimate* found = first_of_length(populations, length);
  return found == nullptr ? Text("–") : Text(source.count(found->length));
}

Text kind_head(const SortSource& source, const Populations& populations, const SortView& view) {
  for (const SortPopulation* population : populations)
    for (const SortEstimate& estimate : population->estimates) {
      if (!view.shows(estimate)) continue;
      const Text depth = estimate.delta > 0 ? say(" by {}", source.count(estimate.delta)) : Text();
      return say("{}{}, {}", source.text(estimate.kind), depth, source.text(estimate.values));
    }
  return "–";
}

Text median_and_worst(const SortSource& source, const SortEstimate* estimate) {
  if (estimate == nullptr) return "–";
  return say("{} ({})", source.percent(estimate->median), source.percent(estimate->worst));
}

Text median_and_interval(const SortSource& source, const SortEstimate* estimate) {
  if (estimate == nullptr) return "–";
  return say("{} {}", source.percent(estimate->median),
             source.percent_interval(estimate->low, estimate->high));
}

Text learned_of(const SortSource& source, const SortPopulation& population) {
  return say("{} of {}", source.count(population.learned), source.size(population.seeds));
}

}  // namespace heddle::report
