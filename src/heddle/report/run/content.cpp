// The answer, the data, the training, the score and the settings of a run: see document.hpp.
#include <algorithm>
#include <cmath>

#include "heddle/record/training_log.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/run/document.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kMostRows = 40;

Column right_column(Text head) {
  return {.head = std::move(head), .right = true};
}

/// A census asks everything there is: it has no sampling error.
bool is_sample(const RunSource& source) {
  return source.study().score.set != "census";
}

Text score_sentence(const RunSource& source) {
  const ScoreRow& row = source.study().score.whole.front();
  if (!is_sample(source))
    return say("It answers {} of all questions that there are right: {}, without sampling error.",
               source.of(row.count), source.share(row.count));
  return say("It answers {} {} questions right: {}, {} interval {}.", source.of(row.count),
             source.text(source.study().score.set), source.share(row.count),
             Source::constant("confidence"), source.percent_interval(row.low, row.high));
}

Text agreement_sentence(const RunSource& source) {
  const RunScore& score = source.study().score;
  if (!score.forced) return {};
  if (score.disagreements == 0)
    return say(
        "Greedy and teacher-forced answers agree on every question ({} differences): before "
        "the first mistake both read the same.",
        source.count(score.disagreements));
  return say(
      "Greedy and teacher-forced answers differ on {} questions: that is a defect of the "
      "decoding, not a finding.",
      source.count(score.disagreements));
}

Text heads_sentence(const RunSource& source) {
  const auto heads = ranked(source.study().member.ablation.heads, AblationMode::mean);
  if (heads.empty()) return {};
  const Effect& first = *heads.front();
  return say(
      "The head that it can least do without is {}: with its mean output in its place {} "
      "percentage points of the answers are lost {}.",
      source.label(first.what), source.points(first.drop),
      source.points_interval(first.low, first.high));
}

Text pruned_sentence(const RunSource& source) {
  const auto& models = source.study().pruning.models;
  if (models.size() < 2) return {};
  if (models[0].heads_left == models[1].heads_left)
    return say("None of its {} heads was cut: with all of them it gives {} of the answers.",
               source.count(models[0].heads_left), source.share(models[0].scored));
  return say("{} of its {} heads are enough for {} of the answers (all of them: {}).",
             source.count(models[1].heads_left), source.count(models[0].heads_left),
             source.share(models[1].scored), source.share(models[0].scored));
}

void add_missing(Section& section, const RunSource& source) {
  std::vector<Text> parts;
  for (const MissingPart& part : source.study().missing)
    parts.push_back(part.command.empty()
                        ? say("{} ({})", source.text(part.part), source.text(part.why))
                        : say("{} ({}: {})", source.text(part.part), source.text(part.why),
                              source.text(part.command)));
  if (!parts.empty()) add(section, say("Not in this report: {}.", joined(parts, "; ")));
}

Text size_sentence(const RunSource& source) {
  const RunRecord& run = source.study();
  Text text = say("The run learned {} (it answers with {}), seed {}: {} parameters, {} heads",
                  source.text(run.task), source.text(run.answers), source.seed(run.member.seed),
                  source.count(run.parameters), source.count(run.heads));
  if (run.steps > 0)
    text += say(", {} steps on {} examples; kept are the weights of step {}",
                source.count(run.steps), source.count(run.samples), source.count(run.best_step));
  if (!run.cut_from.empty())
    text += say("; it was cut out of the run with the settings hash {}", source.text(run.cut_from));
  return say("{}.", text);
}

Table splits_table(const RunSource& source) {
  Table table;
  table.caption = "What it was trained on and asked.";
  table.columns = columns({"split"}, {"examples"});
  const auto& splits = source.study().splits;
  const bool told =
      std::ranges::any_of(splits, [](const RunSplit& split) { return !split.makeup.empty(); });
  if (told) table.columns.push_back({.head = "made of", .right = false});
  for (const RunSplit& split : splits) {
    std::vector<Text> row{source.text(split.split), split.count > 0
                                                        ? Text(source.count(split.count))
                                                        : Text(of_no_examples(split.split))};
    if (told) row.emplace_back(source.text(split.makeup));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// What was right, as a share, and its interval where there is one.
void add_count_columns(Table& table, const RunSource& source) {
  table.columns.push_back(right_column("right"));
  table.columns.push_back(right_column("share"));
  if (is_sample(source))
    table.columns.push_back(right_column(say("{} interval", Source::constant("confidence"))));
}

std::vector<Text> count_row(const RunSource& source, const ScoreRow& row) {
  std::vector<Text> cells{source.text(row.name), source.of(row.count), source.share(row.count)};
  if (is_sample(source)) cells.emplace_back(source.percent_interval(row.low, row.high));
  return cells;
}

Table whole_table(const RunSource& source) {
  Table table;
  table.caption = is_sample(source)
                      ? say("On the {} set.", source.text(source.study().score.set))
                      : Text("On every question that there is: there is no sampling error.");
  table.columns = columns({"asked"}, {});
  add_count_columns(table, source);
  for (const ScoreRow& row : source.study().score.whole)
    table.rows.push_back(count_row(source, row));
  return table;
}

Table group_table(const RunSource& source, const ScoreGroup& group) {
  Table table;
  table.caption = group.rows.size() > kMostRows
                      ? say("Answers right: {}, the first ones of {}; all stand in "
                            "tables/score.csv.",
                            source.text(group.name), source.size(group.rows))
                      : say("Answers right: {}.", source.text(group.name));
  table.columns = {right_column(source.text(group.unit))};
  table.columns.front().right = group.unit != "label";
  add_count_columns(table, source);
  for (std::size_t i = 0; i < std::min(kMostRows, group.rows.size()); ++i)
    table.rows.push_back(count_row(source, group.rows[i]));
  return table;
}

/// Lines of the results as they stand, below each other.
void add_list(Section& section, const RunSource& source, const char* caption, const char* head,
              const std::vector<std::string>& lines) {
  Table table;
  table.caption = caption;
  table.columns = columns({head}, {});
  for (const std::string& line : lines) table.rows.push_back({source.text(line)});
  add_table(section, std::move(table));
}

Table settings_table(const RunSource& source, bool changed) {
  Table table;
  table.caption = changed ? "Settings that differ from the task’s usual ones."
                          : "The other settings, as the task has them when nothing is said.";
  table.columns = columns({"setting"}, {"value"});
  if (changed) table.columns.push_back(right_column("usual"));
  for (const RunSetting& setting : source.study().settings) {
    if ((setting.value != setting.usual) != changed) continue;
    std::vector<Text> row{source.text(setting.name), source.text(setting.value)};
    if (changed) row.emplace_back(source.text(setting.usual));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Section run_answer_section(const RunSource& source) {
  Section section{.id = "answer", .title = "The answer", .blocks = {}};
  const RunRecord& run = source.study();
  if (!run.score.whole.empty()) add_lead(section, score_sentence(source));
  add_lead(section, heads_sentence(source));
  add_lead(section, pruned_sentence(source));
  add(section, size_sentence(source));
  if (!run.member.defect.empty())
    add(section, say("This is not a sound run: {}.", source.text(run.member.defect)));
  add_missing(section, source);
  return section;
}

Section run_data_section(const RunSource& source) {
  Section section{.id = "data", .title = "The task and its data", .blocks = {}};
  add_table(section, splits_table(source));
  add_list(section, source, "What was seen in the data when it was read.", "the data",
           source.study().data.lines);
  if (!source.study().member.data_hash.empty())
    add(section, say("Hash of the data: {}.", source.text(source.study().member.data_hash)));
  return section;
}

Section run_training_section(const RunSource& source) {
  Section section{.id = "training", .title = "Learning curves", .blocks = {}};
  const RunRecord& run = source.study();
  if (run.curve.empty()) return section;
  add_figure(section, "figures/learning_curves.svg",
             "Loss and answers right against the training step",
             say("Validated {} times; the best was step {}.", source.size(run.curve),
                 source.count(run.best_step)),
             run_learning_curves(run));
  add_list(section, source,
           "What the watchdogs said at that step; what came after stands in the learning curves.",
           "warning", run.warnings);
  return section;
}

Section run_score_section(const RunSource& source) {
  Section section{.id = "score", .title = "The score", .blocks = {}};
  const RunScore& score = source.study().score;
  if (score.whole.empty()) return section;
  add(section, agreement_sentence(source));
  add_table(section, whole_table(source));
  if (std::isfinite(score.loss))
    add(section, say("Mean loss: {} nats.", source.significant(score.loss)));
  add_figure(section, "figures/by_length.svg", "Answers right against the length of the input",
             "Where answers go wrong, by length.", run_by_length(source.study()));
  add_figure(section, "figures/by_class.svg", "Answers right, told apart",
             "Where answers go wrong, by class.", run_by_class(source));
  for (const ScoreGroup& group : score.groups) add_table(section, group_table(source, group));
  add_list(section, source, "The first mistakes.", "asked → said, not the right answer",
           score.mistakes);
  add_list(section, source, "What the watchdogs said of the score.", "warning", score.warnings);
  return section;
}

Section run_settings_section(const RunSource& source) {
  Section section{.id = "settings", .title = "Settings and origin", .blocks = {}};
  const RunRecord& run = source.study();
  add(section, say("Heddle {}, instruction set {}; settings hash {}, weights {}.",
                   source.text(run.version), source.text(run.isa),
                   source.text(run.member.config_hash), source.text(run.weights_hash)));
  add_table(section, settings_table(source, true));
  add_table(section, settings_table(source, false));
  return section;
}

}  // namespace heddle::report
