// The reports' numbers and methods: see document.hpp.
#include "heddle/report/addition/document.hpp"
#include "heddle/report/addition/figures.hpp"

namespace heddle::report {
namespace {

Table hashes_table(const AdditionSource& source) {
  Table table;
  table.caption =
      "What was trained: the same settings, data and instruction set give the same weights.";
  table.columns = columns({"recipe"}, {"seed", "best step", "samples"});
  for (const char* head : {"settings", "data", "weights", "instruction set"})
    table.columns.push_back({.head = head, .right = false});
  for (const MemberRecord& member : source.study().members)
    table.rows.push_back({source.text(member.recipe), source.seed(member.seed),
                          source.count(member.best_step), source.count(member.samples),
                          source.text(member.config_hash), source.text(member.data_hash),
                          source.text(member.weights_hash), source.text(member.isa)});
  return table;
}

}  // namespace

Section reports_section(const AdditionSource& source) {
  Section section{.id = "reports", .title = "The reports' numbers", .blocks = {}};
  add(section,
      "What earlier reports wrote, what the same defect gives here when it is reproduced on "
      "purpose, and what sound members show.");
  add_figure(section, "figures/defect.svg", "Accuracies as reported, reproduced and sound",
             "Reported, reproduced, and what was there.", defect(source));
  add_table(section, reproductions_table(source, source.study().reproductions));
  return section;
}

Section methods_section(const AdditionSource& source) {
  Section section{.id = "methods", .title = "Methods, settings, command", .blocks = {}};
  const AdditionStudy& study = source.study();
  add(section, say("The seed is the unit. Within a member: paired intervals (Newcombe) and exact "
                   "McNemar p, corrected by Holm over heads and modes. Over "
                   "members: exact binomial intervals for shares, t intervals for means, order "
                   "statistics for medians. Intervals are {} throughout. "
                   "Mean ablation uses the mean per position over problems that are not scored. "
                   "Every number on this page is read from results.json; "
                   "on the page, each says from where when the pointer rests on it.",
                   Source::constant("confidence")));
  add_table(section, scale_table(source, study.scale));
  add_table(section, hashes_table(source));
  add_origin(section, source,
             {.version = study.version,
              .isa = study.isa,
              .preset = study.preset,
              .command = study.command,
              .config = study.config});
  return section;
}

}  // namespace heddle::report
