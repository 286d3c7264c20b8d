// See run_score.hpp.
#include "heddle/eval/run_score.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "heddle/eval/interval.hpp"

namespace heddle {
namespace {

/// A census is not a sample: its share is what it is.
ScoreRow row_of(std::string name, const Count& count, bool census = false) {
  const Interval interval =
      census ? Interval{.low = count.share(), .high = count.share()} : wilson(count);
  return {.name = std::move(name), .count = count, .low = interval.low, .high = interval.high};
}

void add_row(std::vector<ScoreRow>& rows, std::string name, const Count& count, bool census) {
  if (count.total > 0) rows.push_back(row_of(std::move(name), count, census));
}

void add_group(RunScore& score, ScoreGroup group) {
  if (!group.rows.empty()) score.groups.push_back(std::move(group));
}

std::vector<std::string> words_of(std::span<const Warning> warnings) {
  std::vector<std::string> words;
  for (const Warning& warning : warnings)
    words.push_back(fmt::format("{}: {}", warning.watchdog, warning.message));
  return words;
}

std::string kind_of(const SortCell& cell) {
  std::string name = cell.delta > 0 ? fmt::format("{} by {}", cell.kind, cell.delta) : cell.kind;
  return cell.values == "uniform" ? name : fmt::format("{}, {}", name, cell.values);
}

}  // namespace

RunScore run_score(const Score& found, std::span<const Warning> warnings) {
  const bool census = found.set == "census";
  RunScore score{.set = found.set,
                 .whole = {},
                 .forced = !found.labels(),
                 .disagreements = found.disagreements,
                 .loss = found.loss,
                 .groups = {},
                 .mistakes = found.mistakes,
                 .warnings = words_of(warnings)};
  add_row(score.whole, "greedy", found.greedy, census);
  add_row(score.whole, "teacher-forced", found.teacher_forced, census);
  add_row(score.whole, "tokens", found.teacher_forced_tokens, census);
  add_row(score.whole, "labels", found.accuracy, census);
  ScoreGroup labels{.name = "by label", .unit = "label", .rows = {}};
  for (const LabelCount& each : found.by_label)
    add_row(labels.rows, each.label, each.count, census);
  add_group(score, std::move(labels));
  for (const FacetScore& facet : found.facets) {
    ScoreGroup group{.name = facet.name, .unit = facet.unit, .rows = {}};
    for (const FacetRow& row : facet.rows)
      add_row(facet.single ? score.whole : group.rows, row.value, row.count, census);
    add_group(score, std::move(group));
  }
  return score;
}

RunScore run_score(std::span<const SortCell> cells, std::int64_t trained) {
  RunScore score;
  score.set = "test";
  score.loss = std::numeric_limits<double>::quiet_NaN();
  Count inside, beyond;
  for (const SortCell& cell : cells) {
    const Count count{.correct = cell.correct, .total = cell.total};
    (cell.length <= trained ? inside : beyond) += count;
    const std::string kind = kind_of(cell);
    auto group = std::ranges::find(score.groups, kind, &ScoreGroup::name);
    if (group == score.groups.end())
      group = score.groups.insert(group, {.name = kind, .unit = "length", .rows = {}});
    add_row(group->rows, std::to_string(cell.length), count, false);
  }
  add_row(score.whole, "lengths that train", inside, false);
  add_row(score.whole, "longer ones", beyond, false);
  return score;
}

}  // namespace heddle
