// See document.hpp.
#include "heddle/report/document.hpp"

#include <algorithm>
#include <cmath>

namespace heddle::report {
namespace {

/// Whole numbers are printed whole.
int decimals_of(double value) {
  return std::floor(value) == value ? 0 : 2;
}

bool is_fraction(const Estimate& estimate) {
  return estimate.kind == "share" ||
         (estimate.unit == "fraction" && !(std::abs(estimate.value) > 1));
}

}  // namespace

void add(Section& section, Text paragraph) {
  section.blocks.emplace_back(Paragraph{.text = std::move(paragraph)});
}

void add_figure(Section& section, const std::string& file, const std::string& title, Text caption,
                std::string svg) {
  if (svg.empty()) return;
  section.blocks.emplace_back(
      Figure{.file = file, .title = title, .caption = std::move(caption), .svg = std::move(svg)});
}

void add_table(Section& section, Table table) {
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
}

std::vector<Column> columns(const std::vector<Text>& left, const std::vector<Text>& right) {
  std::vector<Column> all;
  for (const Text& head : left) all.push_back({.head = head, .right = false});
  for (const Text& head : right) all.push_back({.head = head, .right = true});
  return all;
}

Text value_of(const Source& source, const Estimate& estimate) {
  if (estimate.kind == "share")
    return say("{} ({})", source.percent(estimate.value), source.of(estimate.hits, estimate.seeds));
  if (is_fraction(estimate)) return source.percent(estimate.value, 2);
  return say("{} {}", source.number(estimate.value, decimals_of(estimate.value)),
             estimate.unit == "fraction" ? Text() : Text(source.text(estimate.unit)));
}

Text interval_of(const Source& source, const Estimate& estimate) {
  return is_fraction(estimate) ? source.percent_interval(estimate.low, estimate.high)
                               : source.number_interval(estimate.low, estimate.high,
                                                        std::max(decimals_of(estimate.low),
                                                                 decimals_of(estimate.high)));
}

Table estimates_table(const Source& source, std::vector<Estimate> Population::* list,
                      Text caption) {
  Table table;
  table.caption = std::move(caption);
  table.columns =
      columns({"recipe", "quantity", "kind"},
              {"estimate", say("{} interval", Source::constant("confidence")), "seeds"});
  for (const Population& population : source.study().populations)
    for (const Estimate& estimate : population.*list)
      table.rows.push_back({source.text(population.recipe), source.label(estimate.name),
                            source.text(estimate.kind), value_of(source, estimate),
                            interval_of(source, estimate), source.count(estimate.seeds)});
  return table;
}

Document document_of(const Source& source) {
  Document document;
  document.title = "What do the heads of an adder do?";
  document.sections = {
      answer_section(source),   members_section(source),    attention_section(source),
      ablation_section(source), pruning_section(source),    roles_section(source),
      circuit_section(source),  population_section(source), training_section(source),
      claims_section(source),   reports_section(source),    methods_section(source)};
  std::erase_if(document.sections, [](const Section& section) { return section.blocks.empty(); });
  return document;
}

}  // namespace heddle::report
