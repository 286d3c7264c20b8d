// The data of the extrapolation curves: see widget.hpp.
#include "heddle/report/sortedness/view.hpp"
#include "heddle/report/web/widget.hpp"
#include "heddle/report/web/widget_json.hpp"

namespace heddle::report {
namespace {

/// The estimates of one view, as columns; nothing where it was not measured.
Json set_json(const SortSource& source, const SortPopulation& population, const SortView& view) {
  Json at = Json::array();
  std::vector<SortEstimate> rows;
  for (std::size_t i = 0; i < population.estimates.size(); ++i)
    if (view.shows(population.estimates[i])) {
      at.push_back(i);
      rows.push_back(population.estimates[i]);
    }
  if (rows.empty()) return {};
  return {{"from", source.path(&population.estimates)},
          {"at", at},
          {"kind", view.kind},
          {"values", view.values},
          {"delta", view.delta},
          {"measure", view.measure},
          {"given_learned", view.given_learned},
          {"length", column(rows, &SortEstimate::length)},
          {"seeds", column(rows, &SortEstimate::seeds)},
          {"median", column(rows, &SortEstimate::median)},
          {"low", column(rows, &SortEstimate::low)},
          {"high", column(rows, &SortEstimate::high)},
          {"worst", column(rows, &SortEstimate::worst)}};
}

Json population_json(const SortSource& source, const SortPopulation& population) {
  Json sets = Json::array();
  for (const SortView& view : views_of({&population}))
    if (Json set = set_json(source, population, view); !set.is_null())
      sets.push_back(std::move(set));
  return {{"from", parent_path(source.path(&population.recipe))},
          {"recipe", population.recipe},
          {"group", population.group},
          {"position", population.position},
          {"pooling", population.pooling},
          {"reads_order", population.reads_order},
          {"sets", sets}};
}

}  // namespace

Widget lengths_widget(const SortSource& source) {
  const SortednessStudy& study = source.study();
  Json populations = Json::array();
  for (const SortPopulation& population : study.populations) {
    Json data = population_json(source, population);
    if (!data["sets"].empty()) populations.push_back(std::move(data));
  }
  const Json data{{"from", ""},
                  {"train_shortest", study.train_shortest},
                  {"train_longest", study.train_longest},
                  {"opens_with", {{"kind", main_kind(study)}}},
                  {"populations", populations}};
  return {.name = "lengths",
          .label = "Accuracy against length, by choice",
          .without = "The switches need JavaScript; the figures and tables below do not.",
          .on_dark = "",
          .data = populations.empty() ? "" : page_json(data)};
}

}  // namespace heddle::report
