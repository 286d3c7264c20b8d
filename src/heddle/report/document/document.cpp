// See document.hpp.
#include "heddle/report/document/document.hpp"

#include <algorithm>
#include <cmath>

namespace heddle::report {
namespace {

/// Whole numbers are printed whole.
int decimals_of(double value) {
  return std::floor(value) == value ? 0 : 2;
}

bool is_fraction(const Estimate& estimate) {
  return estimate.kind == EstimateKind::share ||
         (estimate.unit == "fraction" && !(std::abs(estimate.value) > 1));
}

}  // namespace

void add(Section& section, Text paragraph) {
  section.blocks.emplace_back(Paragraph{.text = std::move(paragraph)});
}

void add_lead(Section& section, Text paragraph) {
  if (!paragraph.empty())
    section.blocks.emplace_back(Paragraph{.text = std::move(paragraph), .lead = true});
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

void add_widget(Section& section, Widget widget) {
  if (!widget.data.empty()) section.blocks.emplace_back(std::move(widget));
}

std::vector<Column> columns(const std::vector<Text>& left, const std::vector<Text>& right) {
  std::vector<Column> all;
  for (const Text& head : left) all.push_back({.head = head, .right = false});
  for (const Text& head : right) all.push_back({.head = head, .right = true});
  return all;
}

Text value_of(const Source& source, const Estimate& estimate) {
  if (estimate.kind == EstimateKind::share)
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

}  // namespace heddle::report
