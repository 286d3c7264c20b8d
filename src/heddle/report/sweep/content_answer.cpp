// What was swept, which cell does best, and what each setting does: see document.hpp.
#include <algorithm>

#include "heddle/report/sweep/document.hpp"
#include "heddle/report/sweep/figures.hpp"
#include "heddle/report/sweep/view.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kMostNamed = 4;  // alternatives that one sentence holds

/// "position (sinusoidal, alibi, rope) × pooling (mean, max)".
Text swept(const SweepSource& source) {
  std::vector<Text> axes;
  for (const SweepAxisRecord& axis : source.study().axes) {
    std::vector<Text> values;
    for (const std::string& value : axis.values)
      values.push_back(value.empty() ? Text("nothing") : Text(source.text(value)));
    axes.push_back(say("{} ({})", source.text(axis.name), joined(values, ", ")));
  }
  return joined(axes, " × ");
}

Text swept_sentence(const SweepSource& source) {
  const SweepStudy& study = source.study();
  if (study.axes.empty())
    return say("{} members that learn {}, one per seed, all with the same settings.",
               source.size(study.members), source.text(study.task));
  return say("Swept: {}; {} cells with {} {} each, {} members that learn {}.", swept(source),
             source.size(study.cells), source.size(study.seeds),
             study.seeds.size() == 1 ? "seed" : "seeds", source.size(study.members),
             source.text(study.task));
}

/// "alibi · max: 71.2 % [65.0 %, 77.5 %], 66.8 % in its worst seed".
Text cell_score(const SweepSource& source, const SweepCellRecord& cell,
                const SweepEstimate& estimate) {
  Text text = say("{} {}", source.percent(estimate.mean),
                  source.percent_interval(estimate.low, estimate.high));
  if (source.study().seeds.size() > 1)
    text += say(", {} in the worst seed", source.percent(estimate.worst));
  return source.study().axes.empty() ? text : say("{}: {}", source.text(cell.label), text);
}

Text best_sentence(const SweepSource& source) {
  const SweepStudy& study = source.study();
  std::vector<const SweepCellRecord*> cells = ranked_cells(study);
  std::erase_if(cells, [&](auto* cell) { return find_estimate(*cell, study.main) == nullptr; });
  if (cells.empty()) return {};
  const auto score = [&](const SweepCellRecord* cell) {
    return cell_score(source, *cell, *find_estimate(*cell, study.main));
  };
  if (cells.size() == 1) return say("Right on “{}”: {}.", source.text(study.main), score(cells[0]));
  return say("On “{}” the highest mean is that of {}; the lowest that of {}.",
             source.text(study.main), score(cells.front()), score(cells.back()));
}

Text against(const SweepSource& source, const SweepContrast& contrast) {
  const Text by = say("{} points {}", source.points(contrast.difference),
                      source.points_interval(contrast.low, contrast.high));
  const Text other = contrast.other.empty() ? Text("nothing") : Text(source.text(contrast.other));
  return contrast.told_apart ? say("ahead of {} by {}", other, by)
                             : say("not told apart from {} ({})", other, by);
}

/// The best alternative of a setting against the others, or against the next where they are many.
Text setting_sentence(const SweepSource& source, const SweepAxisRecord& axis) {
  std::vector<const SweepContrast*> lead = contrasts_with_best(source.study(), axis.setting);
  if (lead.empty()) return {};
  if (lead.size() > kMostNamed) lead.erase(lead.begin() + 1, lead.end());
  std::vector<Text> parts;
  for (const SweepContrast* contrast : lead) parts.push_back(against(source, *contrast));
  const std::string& best = lead.front()->better;
  return say("For {}, all else equal, {} is {}.", source.text(axis.name),
             best.empty() ? Text("nothing") : Text(source.text(best)), joined(parts, "; "));
}

/// What a reader must know before believing the rest.
void add_warnings(Section& section, const SweepSource& source) {
  const SweepStudy& study = source.study();
  for (const SweepCellRecord& cell : study.cells)
    if (!cell.defect.empty())
      add(section,
          say("Not a sound cell: {}: {}.", source.text(cell.label), source.text(cell.defect)));
  for (const SweepCellRecord& cell : study.cells)
    if (cell.failed > 0)
      add(section,
          say("In the cell {}, {} trainings diverged; its numbers are those of the others.",
              source.text(cell.label), source.of(cell.failed, cell.seeds)));
  for (const SweepAxisRecord& axis : study.axes)
    if (axis.setting.starts_with("task."))
      add(section,
          say("The setting {} belongs to the task: cells that differ in it may be asked different "
              "things under the same name.",
              source.text(axis.setting)));
}

Text worst_of(const SweepSource& source, const SweepEstimate& estimate) {
  return say("{} (seed {})", source.percent(estimate.worst), source.seed(estimate.worst_seed));
}

/// Which columns the main table has besides the settings and the mean.
struct Shown {
  bool seeds = false, chance = false, complete = false, failed = false;
};

Shown shown_of(const SweepStudy& study) {
  const auto any = [&](auto&& holds) {
    return std::ranges::any_of(study.cells, [&](const SweepCellRecord& cell) {
      const SweepEstimate* estimate = find_estimate(cell, study.main);
      return estimate != nullptr && holds(cell, *estimate);
    });
  };
  return {.seeds = study.seeds.size() > 1,
          .chance = any([](auto&, auto& estimate) { return estimate.chance >= 0; }),
          .complete = any([](auto&, auto& estimate) { return estimate.complete > 0; }),
          .failed = std::ranges::any_of(
              study.cells, [](const SweepCellRecord& cell) { return cell.failed > 0; })};
}

std::vector<Text> cell_row(const SweepSource& source, const SweepCellRecord& cell,
                           const Shown& shown) {
  const SweepEstimate* estimate = find_estimate(cell, source.study().main);
  std::vector<Text> row;
  for (const std::string& value : cell.values)
    row.push_back(value.empty() ? Text("–") : Text(source.text(value)));
  const auto put = [&](bool column, auto&& text) {
    if (column) row.push_back(estimate == nullptr ? Text("–") : Text(text()));
  };
  put(true, [&] { return source.percent(estimate->mean); });
  put(true, [&] { return source.percent_interval(estimate->low, estimate->high); });
  put(true, [&] { return source.text(estimate->over); });
  put(shown.seeds, [&] { return worst_of(source, *estimate); });
  put(shown.chance, [&] { return source.of(estimate->above_chance, estimate->seeds); });
  put(shown.complete, [&] { return source.of(estimate->complete, estimate->seeds); });
  if (shown.failed) row.emplace_back(source.of(cell.failed, cell.seeds));
  return row;
}

/// The cells by their mean, highest first.
Table cells_table(const SweepSource& source) {
  const SweepStudy& study = source.study();
  const Shown shown = shown_of(study);
  Table table;
  table.caption = say("The cells by their mean on “{}”.", source.text(study.main));
  table.columns = columns({}, {"rank"});
  for (const SweepAxisRecord& axis : study.axes)
    table.columns.push_back({.head = source.text(axis.name), .right = false});
  table.falls = static_cast<int>(table.columns.size());
  table.columns.push_back({.head = "mean"});
  table.columns.push_back({.head = say("{} interval", Source::constant("confidence"))});
  table.columns.push_back({.head = "over", .right = false});
  const std::vector<std::pair<bool, const char*>> more{{shown.seeds, "worst"},
                                                       {shown.chance, "seeds above chance"},
                                                       {shown.complete, "seeds without an error"},
                                                       {shown.failed, "diverged"}};
  for (const auto& [column, head] : more)
    if (column) table.columns.push_back({.head = head});
  const auto cells = ranked_cells(study);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::vector<Text> row = cell_row(source, *cells[i], shown);
    row.insert(row.begin(), Source::rank(i + 1));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Section answer_section(const SweepSource& source) {
  Section section{.id = "answer", .title = "The answer", .blocks = {}};
  const SweepStudy& study = source.study();
  add_lead(section, swept_sentence(source));
  add_lead(section, best_sentence(source));
  for (const SweepAxisRecord& axis : study.axes) add_lead(section, setting_sentence(source, axis));
  add_warnings(section, source);
  add_figure(section, "figures/cells.svg", "Cells of the grid with their intervals",
             say("Every cell on “{}”: the mean over seeds, its interval and the seeds themselves.",
                 source.text(study.main)),
             sweep_cells(source));
  add_table(section, cells_table(source));
  return section;
}

}  // namespace heddle::report
