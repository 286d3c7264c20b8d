// One setting at a time, every measure, training, members and methods: see document.hpp.
#include "heddle/report/sweep/document.hpp"
#include "heddle/report/sweep/figures.hpp"
#include "heddle/report/sweep/view.hpp"

namespace heddle::report {
namespace {

Text alternative(const SweepSource& source, const std::string& value) {
  return value.empty() ? Text("nothing") : Text(source.text(value));
}

/// Two alternatives a row, on the main measure, largest difference first.
Table contrasts_table(const SweepSource& source, const SweepAxisRecord& axis) {
  const SweepStudy& study = source.study();
  Table table;
  table.caption =
      say("{} on “{}”: differences in percentage points, averaged over the other settings.",
          source.text(axis.setting), source.text(study.main));
  table.columns = columns({"better", "other"}, {"means", "difference",
                                                say("{} interval", Source::constant("confidence")),
                                                "p (Holm)", "pairs ahead", "behind"});
  table.columns.push_back({.head = "verdict", .right = false});
  table.falls = 3;
  for (const SweepContrast* contrast : contrasts_of(study, axis.setting, study.main))
    table.rows.push_back(
        {alternative(source, contrast->better), alternative(source, contrast->other),
         say("{}, {}", source.percent(contrast->better_mean), source.percent(contrast->other_mean)),
         source.points(contrast->difference), source.points_interval(contrast->low, contrast->high),
         source.p(contrast->p_holm), source.of(contrast->ahead, contrast->pairs),
         source.count(contrast->behind), contrast->told_apart ? "told apart" : "undecided"});
  return table;
}

/// A table of rows × columns, laid so that the shorter side runs across.
struct Matrix {
  Text corner_row, corner_column;  ///< what the rows are, and what the columns are
  std::vector<Text> rows, columns;
  std::vector<std::vector<Text>> cells;  ///< row by row
};

Table laid(const Matrix& matrix, Text caption) {
  const bool turn = matrix.columns.size() > matrix.rows.size();
  Table table;
  table.caption = std::move(caption);
  table.columns = columns({turn ? matrix.corner_column : matrix.corner_row}, {});
  for (const Text& head : turn ? matrix.rows : matrix.columns)
    table.columns.push_back({.head = head});
  const std::vector<Text>& names = turn ? matrix.columns : matrix.rows;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<Text> row{names[i]};
    for (std::size_t j = 0; j + 1 < table.columns.size(); ++j)
      row.push_back(turn ? matrix.cells[j][i] : matrix.cells[i][j]);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<Text> measure_names(const SweepSource& source) {
  std::vector<Text> names;
  for (const std::string& measure : source.study().measures)
    names.emplace_back(source.text(measure));
  return names;
}

const SweepContrast* contrast_between(const SweepStudy& study, const SweepAxisRecord& axis,
                                      std::size_t i, std::size_t j, const std::string& measure) {
  const std::string &a = axis.values[i], &b = axis.values[j];
  for (const SweepContrast* contrast : contrasts_of(study, axis.setting, measure))
    if ((contrast->better == a && contrast->other == b) ||
        (contrast->better == b && contrast->other == a))
      return contrast;
  return nullptr;
}

/// Who is better by how much on every measure, all settings in one table.
Table other_measures_table(const SweepSource& source) {
  const SweepStudy& study = source.study();
  Matrix matrix{.corner_row = "alternatives",
                .corner_column = "measure",
                .rows = {},
                .columns = measure_names(source),
                .cells = {}};
  const auto add_pair = [&](const SweepAxisRecord& axis, std::size_t i, std::size_t j) {
    matrix.rows.push_back(say("{}: {}, {}", source.text(axis.name),
                              alternative(source, axis.values[i]),
                              alternative(source, axis.values[j])));
    std::vector<Text> cells;
    for (const std::string& measure : study.measures) {
      const SweepContrast* contrast = contrast_between(study, axis, i, j, measure);
      cells.push_back(contrast == nullptr ? Text("–")
                                          : say(contrast->told_apart ? "{} {}" : "({} {})",
                                                alternative(source, contrast->better),
                                                source.points(contrast->difference)));
    }
    matrix.cells.push_back(std::move(cells));
  };
  for (const SweepAxisRecord& axis : study.axes)
    for (std::size_t i = 0; i < axis.values.size(); ++i)
      for (std::size_t j = i + 1; j < axis.values.size(); ++j) add_pair(axis, i, j);
  return laid(
      matrix,
      "Every measure: who is ahead by how many points; in brackets what is not told apart.");
}

Text mean_and_worst(const SweepSource& source, const SweepEstimate* estimate) {
  if (estimate == nullptr) return "–";
  if (source.study().seeds.size() == 1) return source.percent(estimate->mean);
  return say("{} ({})", source.percent(estimate->mean), source.percent(estimate->worst));
}

/// Means of every measure, the worst seed in brackets.
Table measures_table(const SweepSource& source) {
  const SweepStudy& study = source.study();
  if (study.measures.size() < 2) return {};
  Matrix matrix{.corner_row = "cell",
                .corner_column = "measure",
                .rows = {},
                .columns = measure_names(source),
                .cells = {}};
  for (const SweepCellRecord* cell : ranked_cells(study)) {
    matrix.rows.emplace_back(source.text(cell->label));
    std::vector<Text> cells;
    for (const std::string& measure : study.measures)
      cells.push_back(mean_and_worst(source, find_estimate(*cell, measure)));
    matrix.cells.push_back(std::move(cells));
  }
  return laid(matrix, study.seeds.size() == 1
                          ? Text("Every measure of every cell.")
                          : Text("Every measure of every cell: the mean over seeds, and the worst "
                                 "seed in brackets."));
}

Table members_table(const SweepSource& source) {
  const SweepStudy& study = source.study();
  Table table;
  table.caption = "Every member is a run of its own: all commands take its folder.";
  table.columns = columns({"folder"}, {source.text(study.main), "right", "best step"});
  for (const char* head : {"settings", "data"})
    table.columns.push_back({.head = head, .right = false});
  for (const SweepCellRecord* cell : ranked_cells(study))
    for (const SweepMember* member : members_of(study, *cell)) {
      const SweepScore* score = find_score(*member, study.main);
      table.rows.push_back(
          {source.text(member->run),
           score == nullptr ? Text("–") : Text(source.percent(score->value)),
           score == nullptr ? Text("–") : Text(source.of(score->correct, score->total)),
           source.count(member->best_step), source.text(member->config_hash),
           source.text(member->data_hash)});
    }
  return table;
}

/// What went wrong or sounded so.
Table words_table(const SweepSource& source) {
  const SweepStudy& study = source.study();
  Table table;
  table.caption =
      "What the watchdogs said at that step (what came after stands in the learning curves), and "
      "trainings that came to nothing.";
  table.columns = columns({"cell"}, {"seed"});
  table.columns.push_back({.head = "words", .right = false});
  for (const SweepCellRecord* cell : ranked_cells(study))
    for (const SweepMember* member : members_of(study, *cell)) {
      const auto put = [&](const std::string& words) {
        table.rows.push_back(
            {source.text(cell->label), source.seed(member->seed), source.text(words)});
      };
      if (!member->failure.empty()) put(member->failure);
      for (const std::string& words : member->watchdogs) put(words);
    }
  return table;
}

}  // namespace

Section settings_section(const SweepSource& source) {
  Section section{.id = "settings", .title = "One setting at a time", .blocks = {}};
  const SweepStudy& study = source.study();
  if (study.contrasts.empty()) return section;
  add(section,
      study.seeds.size() == 1
          ? Text("Question: does one alternative beat another, all else equal? Members that differ "
                 "in one setting only are paired. There is one seed, so the intervals are over "
                 "problems and say nothing about another seed.")
          : Text("Question: does one alternative beat another, all else equal? Members that differ "
                 "in one setting only are paired; their differences are averaged within each seed, "
                 "and the interval and the test are over seeds."));
  add_figure(section, "figures/settings.svg", "Differences between alternatives with intervals",
             "Two alternatives a row, better less other.", sweep_contrasts(source));
  for (const SweepAxisRecord& axis : study.axes) add_table(section, contrasts_table(source, axis));
  if (study.measures.size() > 1) add_table(section, other_measures_table(source));
  return section;
}

Section measures_section(const SweepSource& source) {
  Section section{.id = "measures", .title = "Every measure", .blocks = {}};
  add_table(section, measures_table(source));
  return section;
}

Section training_section(const SweepSource& source) {
  Section section{.id = "training", .title = "Training", .blocks = {}};
  add_figure(section, "figures/learning_curves.svg", "Learning curves of all cells",
             "Every cell against the training step.", sweep_curves(source.study()));
  add_table(section, words_table(source));
  return section;
}

Section members_section(const SweepSource& source) {
  Section section{.id = "members", .title = "Members", .blocks = {}};
  add_table(section, members_table(source));
  return section;
}

Section methods_section(const SweepSource& source) {
  Section section{.id = "methods", .title = "Methods, settings, command", .blocks = {}};
  const SweepStudy& study = source.study();
  add(section,
      say("The seed is the unit. Intervals are {}: of a mean over seeds Student's, cut at none and "
          "all; where there is one seed, or all seeds agree to the last digit, Wilson's over the "
          "problems of one seed. A seed is above chance when its own interval over problems is. "
          "Tests are Student's, two-sided, adjusted by Holm over the pairs of one setting; where "
          "seeds give no test, two alternatives are told apart when the interval of their "
          "difference leaves out zero. Cells are ranked by the first measure that every member "
          "has and that somebody answers better than by guessing. Every number on this page is "
          "read from results.json; on the page, each says from "
          "where when the pointer rests on it.",
          Source::constant("confidence")));
  add(section, say("Heddle {}, instruction set {}. The command:", source.text(study.version),
                   source.text(study.isa)));
  section.blocks.emplace_back(Code{.text = source.text(study.command)});
  add(section, say("The settings of the cell {}{}:", source.text(study.cells.front().label),
                   study.cells.size() == 1 ? "" : "; the others differ in what was swept alone"));
  section.blocks.emplace_back(Code{.text = source.text(study.cells.front().config)});
  return section;
}

}  // namespace heddle::report
