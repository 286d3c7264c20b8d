// See view.hpp.
#include "heddle/report/sortedness/view.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "heddle/base/text.hpp"

namespace heddle::report {
namespace {

bool same(const SortView& a, const SortView& b) {
  return a.kind == b.kind && a.values == b.values && a.delta == b.delta;
}

/// The number after " at ", of "sinusoidal at 256, the reports' set".
std::optional<std::int64_t> length_in(const std::string& quantity) {
  const std::size_t at = quantity.find(" at ");
  if (at == std::string::npos) return std::nullopt;
  std::string digits = quantity.substr(at + 4);
  return parse_int(digits.substr(0, digits.find_first_not_of("0123456789")));
}

}  // namespace

bool SortView::shows(const SortEstimate& estimate) const {
  return estimate.kind == kind && estimate.values == values && estimate.delta == delta &&
         estimate.measure == measure && estimate.given_learned == given_learned;
}

std::string SortView::title() const {
  const std::string depth = delta > 0 ? fmt::format(" by {}", delta) : "";
  return fmt::format("{}{}, {} values", kind, depth, values);
}

Populations group_of(const SortednessStudy& study, std::string_view group) {
  Populations found;
  for (const SortPopulation& population : study.populations)
    if (population.group == group) found.push_back(&population);
  return found;
}

Populations pooled_by(const SortednessStudy& study, std::string_view pooling) {
  const Populations recipes = group_of(study, "recipe");
  const auto same_encoding = [&](const SortPopulation& population) {
    return population.group == "contrast" &&
           std::ranges::any_of(recipes, [&](const SortPopulation* recipe) {
             return recipe->position == population.position &&
                    recipe->pooling == population.pooling;
           });
  };
  Populations found;
  for (const SortPopulation& population : study.populations)
    if (population.pooling == pooling && population.group != "reports" &&
        population.group != "hand-built" && !same_encoding(population))
      found.push_back(&population);
  return found;
}

Populations leading(const SortednessStudy& study) {
  Populations found = group_of(study, "recipe");
  const Populations required = group_of(study, "required");
  found.insert(found.end(), required.begin(), required.end());
  return found;
}

std::vector<std::string> poolings_of(const SortednessStudy& study) {
  std::vector<std::string> names;
  for (const SortPopulation& population : study.populations)
    if (std::ranges::find(names, population.pooling) == names.end() &&
        !pooled_by(study, population.pooling).empty())
      names.push_back(population.pooling);
  return names;
}

std::vector<const SortMember*> members_of(const SortednessStudy& study, std::string_view recipe) {
  std::vector<const SortMember*> found;
  for (const SortMember& member : study.members)
    if (member.recipe == recipe) found.push_back(&member);
  return found;
}

std::vector<SortView> views_of(const Populations& populations) {
  std::vector<SortView> views;
  for (const SortPopulation* population : populations)
    for (const SortEstimate& estimate : population->estimates) {
      const SortView view{
          .kind = estimate.kind, .values = estimate.values, .delta = estimate.delta};
      const bool known =
          std::ranges::any_of(views, [&](const SortView& other) { return same(view, other); });
      if (!known && view.shows(estimate)) views.push_back(view);
    }
  return views;
}

std::vector<SortView> views_of(const Populations& populations, std::string_view kind) {
  std::vector<SortView> views = views_of(populations);
  std::erase_if(views, [&](const SortView& view) { return view.kind != kind; });
  return views;
}

SortView main_view(const Populations& populations, std::string_view kind) {
  SortView best{.kind = std::string(kind), .values = ""};
  std::ptrdiff_t most = 0;
  for (const SortView& view : views_of(populations, kind)) {
    std::ptrdiff_t cells = 0;
    for (const SortPopulation* population : populations)
      cells += std::ranges::count_if(population->estimates,
                                     [&](const auto& estimate) { return view.shows(estimate); });
    if (cells > most) best = view;
    most = std::max(most, cells);
  }
  return best;
}

SortView reports_view(const Populations& populations) {
  const bool own = !views_of(populations, "as-reported").empty();
  return main_view(populations, own ? "as-reported" : "swaps");
}

std::string main_kind(const SortednessStudy& study) {
  Populations all;
  for (const SortPopulation& population : study.populations) all.push_back(&population);
  if (!views_of(all, "adjacent").empty()) return "adjacent";
  const auto views = views_of(all);
  return views.empty() ? "" : views.front().kind;
}

std::vector<std::int64_t> lengths_of(const Populations& populations, const SortView& view) {
  std::set<std::int64_t> lengths;
  for (const SortPopulation* population : populations)
    for (const SortEstimate& estimate : population->estimates)
      if (view.shows(estimate)) lengths.insert(estimate.length);
  return {lengths.begin(), lengths.end()};
}

std::int64_t common_length(const Populations& populations, const SortView& view,
                           std::int64_t most) {
  std::int64_t longest = 0;
  for (const std::int64_t length : lengths_of(populations, view)) {
    const bool common = std::ranges::all_of(populations, [&](const SortPopulation* population) {
      return find_estimate(*population, view, length) != nullptr ||
             lengths_of({population}, view).empty();
    });
    if (common && length <= most) longest = length;
  }
  return longest;
}

const SortEstimate* find_estimate(const SortPopulation& population, const SortView& view,
                                  std::int64_t length) {
  const auto found = std::ranges::find_if(population.estimates, [&](const SortEstimate& estimate) {
    return estimate.length == length && view.shows(estimate);
  });
  return found == population.estimates.end() ? nullptr : &*found;
}

const SortEstimate* first_of_length(const Populations& populations, std::int64_t length) {
  for (const SortPopulation* population : populations)
    for (const SortEstimate& estimate : population->estimates)
      if (estimate.length == length) return &estimate;
  return nullptr;
}

std::vector<SortCurve> reported_curves(const SortednessStudy& study) {
  if (const SortExplanation* reported = find_explanation(study, "reported")) {
    std::vector<SortCurve> curves = reported->predicted;
    curves.insert(curves.end(), reported->measured.begin(), reported->measured.end());
    return curves;
  }
  std::vector<SortCurve> curves;
  for (const Reproduction& row : study.reproductions) {
    const auto length = length_in(row.quantity);
    const auto value = parse_double(row.reported);
    if (!length || !value) continue;
    const std::string label = row.report + ": " + row.quantity.substr(0, row.quantity.find(" at "));
    auto curve = std::ranges::find(curves, label, &SortCurve::label);
    if (curve == curves.end()) {
      curves.emplace_back().label = label;
      curve = curves.end() - 1;
    }
    curve->x.push_back(static_cast<double>(*length));
    curve->y.push_back(*value);
  }
  return curves;
}

const SortExplanation* find_explanation(const SortednessStudy& study, std::string_view id) {
  const auto found = std::ranges::find(study.explanations, id, &SortExplanation::id);
  return found == study.explanations.end() ? nullptr : &*found;
}

}  // namespace heddle::report
