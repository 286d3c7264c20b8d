// See compare.hpp.
#include "heddle/report/document/compare.hpp"

#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "heddle/report/document/number.hpp"

namespace heddle::report {
namespace {

using List = std::vector<Estimate> Population::*;
constexpr std::array<std::pair<const char*, List>, 6> kLists{
    {{"headline", &Population::headline},
     {"critical module", &Population::critical_module},
     {"roles", &Population::roles},
     {"pruning", &Population::pruning},
     {"circuit", &Population::circuit},
     {"contrasts", &Population::contrasts}}};

/// A quantity by the recipe, the list and the name it has.
struct Quantity {
  std::string recipe, list, name;
  Estimate estimate;
};

std::vector<Quantity> quantities(const AdditionStudy& study) {
  std::vector<Quantity> all;
  for (const Population& population : study.populations)
    for (const auto& [name, list] : kLists)
      for (const Estimate& estimate : population.*list)
        all.push_back({population.recipe, name, estimate.name, estimate});
  return all;
}

Quantity learned(const SortPopulation& population) {
  const auto seeds = static_cast<std::int64_t>(population.seeds.size());
  return {population.recipe, "learned", "learned in range",
          Estimate{.name = "learned in range",
                   .kind = EstimateKind::share,
                   .value = seeds == 0 ? 0
                                       : static_cast<double>(population.learned) /
                                             static_cast<double>(seeds),
                   .low = population.learned_low,
                   .high = population.learned_high,
                   .seeds = seeds,
                   .hits = population.learned}};
}

std::vector<Quantity> quantities(const SortednessStudy& study) {
  std::vector<Quantity> all;
  for (const SortPopulation& population : study.populations) {
    all.push_back(learned(population));
    for (const SortEstimate& at : population.estimates) {
      const std::string depth = at.delta > 0 ? fmt::format(" by {}", at.delta) : "";
      const std::string name = fmt::format("{}{} at {}, {} values{}", at.kind, depth, at.length,
                                           at.values, at.given_learned ? ", given learned" : "");
      all.push_back({population.recipe, at.measure, name,
                     Estimate{.name = name,
                              .kind = EstimateKind::median,
                              .value = at.median,
                              .low = at.low,
                              .high = at.high,
                              .seeds = at.seeds,
                              .hits = 0}});
    }
  }
  return all;
}

/// Rows in the order of `a`, then what only `b` has.
std::vector<Compared> matched(const std::vector<Quantity>& a, const std::vector<Quantity>& b) {
  std::map<std::array<std::string, 3>, std::size_t> rows_by_name;
  std::vector<Compared> rows;
  const auto row_of = [&](const Quantity& quantity) -> Compared& {
    const auto [at, fresh] =
        rows_by_name.try_emplace({quantity.recipe, quantity.list, quantity.name}, rows.size());
    if (fresh)
      rows.push_back({.recipe = quantity.recipe,
                      .list = quantity.list,
                      .name = quantity.name,
                      .a = std::nullopt,
                      .b = std::nullopt});
    return rows[at->second];
  };
  for (const Quantity& quantity : a)
    if (Compared& row = row_of(quantity); !row.a) row.a = quantity.estimate;
  for (const Quantity& quantity : b)
    if (Compared& row = row_of(quantity); !row.b) row.b = quantity.estimate;
  return rows;
}

}  // namespace

bool Compared::apart() const {
  return a && b && (a->low > b->high || b->low > a->high);
}

std::vector<Compared> compare(const AdditionStudy& a, const AdditionStudy& b) {
  return matched(quantities(a), quantities(b));
}

std::vector<Compared> compare(const SortednessStudy& a, const SortednessStudy& b) {
  return matched(quantities(a), quantities(b));
}

std::string estimate_text(const std::optional<Estimate>& estimate) {
  if (!estimate) return kNoData;
  const bool fraction = estimate->kind == EstimateKind::share ||
                        (estimate->unit == "fraction" && !(std::abs(estimate->value) > 1));
  const auto text = [&](double value) { return fraction ? percent(value, 1) : fixed(value, 2); };
  return fmt::format("{} {}, {} {}", text(estimate->value),
                     interval(text(estimate->low), text(estimate->high)), estimate->seeds,
                     estimate->seeds == 1 ? "seed" : "seeds");
}

}  // namespace heddle::report
