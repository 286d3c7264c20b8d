// The reports' cases, the explanations, the training and the methods: see document.hpp.
#include <algorithm>

#include "heddle/report/addition/figures.hpp"
#include "heddle/report/sortedness/cells.hpp"
#include "heddle/report/sortedness/figures.hpp"
#include "heddle/report/web/widget.hpp"

namespace heddle::report {
namespace {

/// What the watchdogs said about the first member of each recipe that they spoke about.
void add_watchdogs(Section& section, const SortSource& source, const Populations& cases) {
  for (const SortPopulation* population : cases) {
    const auto members = members_of(source.study(), population->recipe);
    const auto found = std::ranges::find_if(
        members, [](const SortMember* member) { return !member->watchdogs.empty(); });
    if (found == members.end()) continue;
    std::vector<Text> words;
    for (const std::string& word : (*found)->watchdogs) words.emplace_back(source.text(word));
    add(section, say("The watchdogs on {}, seed {}: {}.", source.text((*found)->recipe),
                     source.seed((*found)->seed), joined(words, "; ")));
  }
}

/// The reports' models at the lengths that the reports gave, and what was said about them.
Table cases_table(const SortSource& source, const Populations& cases) {
  const SortView view = reports_view(cases);
  Table table;
  table.caption =
      "The reports' settings, trained again: accuracy in the median seed, and how many seeds give "
      "one answer to everything.";
  table.columns = columns({"recipe", "what it is"}, {"learned", "constant"});
  const auto lengths = lengths_of(cases, view);
  for (const std::int64_t length : lengths)
    table.columns.push_back({.head = length_head(source, cases, length)});
  for (const SortPopulation* population : cases) {
    const auto members = members_of(source.study(), population->recipe);
    const auto constant = std::ranges::count_if(members, &SortMember::constant);
    const bool all = constant == std::ssize(members);
    std::vector<Text> row{source.text(population->recipe), source.text(population->description),
                          learned_of(source, *population),
                          constant == 0 ? "no seed"
                          : all         ? "every seed"
                                        : "some seeds"};
    for (const std::int64_t length : lengths) {
      const SortEstimate* at = find_estimate(*population, view, length);
      row.push_back(at == nullptr ? Text("–") : Text(source.percent(at->median)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table members_table(const SortSource& source) {
  Table table;
  table.caption =
      "Every member: what it was trained on, and whether it learned the task in range. The "
      "threshold was frozen at the training lengths.";
  table.columns = columns({"recipe"}, {"seed"});
  for (const char* head :
       {"encoding", "pooling", "normaliser", "direction", "norm", "values", "negatives", "lengths"})
    table.columns.push_back({.head = head, .right = false});
  for (const char* head : {"layers", "width", "heads", "parameters", "steps", "batch", "best step",
                           "in range", "threshold"})
    table.columns.push_back({.head = head});
  table.columns.push_back({.head = "verdict", .right = false});
  for (const SortMember& m : source.study().members)
    table.rows.push_back({source.text(m.recipe),
                          source.seed(m.seed),
                          source.text(m.position),
                          source.text(m.pooling),
                          source.text(m.normaliser),
                          source.text(m.direction),
                          source.text(m.norm),
                          source.text(m.values),
                          source.text(m.kinds),
                          source.text(m.lengths),
                          source.count(m.layers),
                          source.count(m.d_model),
                          source.count(m.heads),
                          source.count(m.parameters),
                          source.count(m.steps),
                          source.count(m.batch),
                          source.count(m.best_step),
                          source.percent(m.in_range, 2),
                          source.significant(m.threshold),
                          m.constant  ? "constant"
                          : m.learned ? "learned"
                                      : "not learned"});
  return table;
}

void add_explanation(Section& section, const SortSource& source,
                     const SortExplanation& explanation) {
  add(section, say("{}. {}", source.text(explanation.title), source.text(explanation.formula)));
  const SortednessStudy& study = source.study();
  add_figure(section, "figures/" + file_part(explanation.id) + ".svg",
             "Predicted and measured curves",
             say("{}: {}.", source.text(explanation.title),
                 explanation.predicted.empty() ? "measured" : "predicted and measured"),
             explanation_curves(study, explanation));
  std::vector<Text> notes;
  for (const SortMap& map : explanation.maps)
    notes.push_back(map.note.empty()
                        ? Text(source.text(map.label))
                        : say("{} ({})", source.text(map.label), source.text(map.note)));
  add_figure(section, maps_file(explanation), "The matrices",
             say("{}: {}.", source.text(explanation.title), joined(notes, "; ")),
             explanation_maps(explanation));
  if (explanation.id == "attention") add_widget(section, maps_widget(source, explanation));
}

}  // namespace

Section reports_section(const SortSource& source) {
  Section section{.id = "reports", .title = "The reports' cases", .blocks = {}};
  const SortednessStudy& study = source.study();
  const Populations cases = group_of(study, "reports");
  if (cases.empty() && study.reproductions.empty()) return section;
  add(section,
      "What earlier reports wrote, what their settings give here when they are trained on purpose, "
      "and what sound members show. A model that always gives the same answer scores the share of "
      "that answer: such members are called constant.");
  add_figure(section, "figures/reports.svg",
             "The reports' models: accuracy and share called sorted",
             "The reports' models, trained again.", reports_cases(study));
  if (!cases.empty()) add_table(section, cases_table(source, cases));
  add_watchdogs(section, source, cases);
  add_table(section, reproductions_table(source, study.reproductions));
  return section;
}

Section explanations_section(const SortSource& source) {
  Section section{.id = "explanations", .title = "Why: formulas beside measurements", .blocks = {}};
  for (const SortExplanation& explanation : source.study().explanations)
    if (explanation.id != "reported") add_explanation(section, source, explanation);
  return section;
}

Section training_section(const SortSource& source) {
  Section section{.id = "training", .title = "Training", .blocks = {}};
  const SortednessStudy& study = source.study();
  if (study.members.empty()) return section;
  add(section,
      "Question: did the models have the time to learn? A loss that stays at the entropy of a coin "
      "has learned nothing yet.");
  add_figure(section, "figures/learning_curves.svg", "Learning curves of the leading recipes",
             "The recipe and the required encodings.", learning_curves(study, leading(study)));
  add_figure(section, "figures/learning_curves_contrast.svg", "Learning curves of the variants",
             "Variants of the recipe.", learning_curves(study, group_of(study, "contrast")));
  add_figure(section, "figures/learning_curves_other.svg", "Learning curves of further encodings",
             "Further encodings in the recipe's place.",
             learning_curves(study, group_of(study, "other")));
  add_figure(section, "figures/learning_curves_reports.svg",
             "Learning curves of the reports' cases", "The reports' settings.",
             learning_curves(study, group_of(study, "reports")));
  add_table(section, members_table(source));
  return section;
}

Section methods_section(const SortSource& source) {
  Section section{.id = "methods", .title = "Methods, settings, command", .blocks = {}};
  const SortednessStudy& study = source.study();
  add(section,
      say("The seed is the unit. Over seeds: medians with {} intervals by order statistics (below "
          "six seeds the whole range), exact binomial intervals for shares of seeds. Every test "
          "set has as many sorted as unsorted sequences, and each unsorted one is made from a "
          "sorted one of the same set: its twin. The threshold between the two answers is frozen "
          "at the training lengths. Ceilings are arguments, not measurements: the most that any "
          "model with that encoding and pooling can expect. Every number on this page is read from "
          "results.json; on the page, each says from where when the pointer rests on it.",
          Source::constant("confidence")));
  add_table(section, scale_table(source, study.scale));
  add_origin(section, source,
             {.version = study.version,
              .isa = study.isa,
              .preset = study.preset,
              .command = study.command,
              .config = study.config});
  return section;
}

}  // namespace heddle::report
