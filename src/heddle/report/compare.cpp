// See compare.hpp.
#include "heddle/report/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "heddle/report/number.hpp"

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

const Estimate* find_estimate(const AdditionStudy& study, const std::string& recipe, List list,
                              const std::string& name) {
  const auto population = std::ranges::find(study.populations, recipe, &Population::recipe);
  if (population == study.populations.end()) return nullptr;
  const auto found = std::ranges::find((*population).*list, name, &Estimate::name);
  return found == ((*population).*list).end() ? nullptr : &*found;
}

void add_all(std::vector<Compared>& rows, const AdditionStudy& from, const AdditionStudy& a,
             const AdditionStudy& b) {
  for (const Population& population : from.populations)
    for (const auto& [name, list] : kLists)
      for (const Estimate& estimate : population.*list) {
        const bool known = std::ranges::any_of(rows, [&](const Compared& row) {
          return row.recipe == population.recipe && row.list == name && row.name == estimate.name;
        });
        if (!known)
          rows.push_back({.recipe = population.recipe,
                          .list = name,
                          .name = estimate.name,
                          .a = find_estimate(a, population.recipe, list, estimate.name),
                          .b = find_estimate(b, population.recipe, list, estimate.name)});
      }
}

}  // namespace

bool Compared::apart() const {
  return a != nullptr && b != nullptr && (a->low > b->high || b->low > a->high);
}

std::vector<Compared> compare(const AdditionStudy& a, const AdditionStudy& b) {
  std::vector<Compared> rows;
  add_all(rows, a, a, b);
  add_all(rows, b, a, b);
  return rows;
}

std::string estimate_text(const Estimate* estimate) {
  if (estimate == nullptr) return kNoData;
  const bool fraction = estimate->kind == "share" ||
                        (estimate->unit == "fraction" && !(std::abs(estimate->value) > 1));
  const auto text = [&](double value) { return fraction ? percent(value, 1) : fixed(value, 2); };
  return fmt::format("{} {}, {} {}", text(estimate->value),
                     interval(text(estimate->low), text(estimate->high)), estimate->seeds,
                     estimate->seeds == 1 ? "seed" : "seeds");
}

}  // namespace heddle::report
