// Claims, the reports' numbers, and methods: see document.hpp.
#include <algorithm>
#include <array>
#include <cmath>

#include "heddle/report/document.hpp"
#include "heddle/report/figures.hpp"
#include "heddle/report/label.hpp"

namespace heddle::report {
namespace {

constexpr std::array<std::string_view, 12> kSections{
    "answer",  "members",    "attention", "ablation", "pruning", "roles",
    "circuit", "population", "training",  "claims",   "reports", "methods"};

Text findings_of(const Source& source, const Claim& claim) {
  std::vector<Text> texts;
  for (const Finding& finding : claim.findings)
    texts.push_back(
        say("{}: {} {}, {}", source.text(finding.recipe), source.of(finding.hits, finding.seeds),
            source.percent_interval(finding.low, finding.high), source.text(finding.text)));
  return joined(texts, "; ");
}

Text evidence_of(const Source& source, const Claim& claim) {
  Piece piece = source.text(claim.evidence);
  if (std::ranges::find(kSections, claim.evidence) != kSections.end())
    piece.target = claim.evidence;
  return piece;
}

Table claims_table(const Source& source) {
  std::vector<const Claim*> claims;
  for (const Claim& claim : source.study().claims) claims.push_back(&claim);
  std::ranges::stable_sort(claims, std::ranges::greater{},
                           [](auto* claim) { return claim->logical ? 1 : 0; });
  Table table;
  table.caption =
      "Every claim as a predicate of one member with its rule, written down before the run; those "
      "settled by argument come first.";
  table.columns = columns({"claim", "report", "what it says", "verdict", "predicate and rule",
                           "what the members show", "why", "evidence"},
                          {});
  for (const Claim* claim : claims)
    table.rows.push_back({source.text(claim->id), source.text(claim->report),
                          source.text(claim->statement), source.text(claim->verdict),
                          say("{}; {}", source.text(claim->predicate), source.text(claim->rule)),
                          claim->logical
                              ? say("settled by argument{}{}", claim->findings.empty() ? "" : "; ",
                                    findings_of(source, *claim))
                              : findings_of(source, *claim),
                          source.text(claim->reason), evidence_of(source, *claim)});
  return table;
}

Table hashes_table(const Source& source) {
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

Section claims_section(const Source& source) {
  Section section{.id = "claims", .title = "Claims and verdicts", .blocks = {}};
  add_table(section, claims_table(source));
  return section;
}

Section reports_section(const Source& source) {
  Section section{.id = "reports", .title = "The reports' numbers", .blocks = {}};
  add(section,
      "What earlier reports wrote, what the same defect gives here when it is reproduced on "
      "purpose, and what sound members show.");
  add_figure(section, "figures/defect.svg", "Accuracies as reported, reproduced and sound",
             "Reported, reproduced, and what was there.", defect(source.study()));
  Table table;
  table.caption = "Reported numbers beside the reproduction and the truth.";
  table.columns =
      columns({"report", "quantity", "reported", "with the defect", "sound", "cause"}, {});
  for (const Reproduction& row : source.study().reproductions)
    table.rows.push_back({source.text(row.report), source.text(row.quantity),
                          source.text(row.reported), source.text(row.with_defect),
                          source.text(row.truth), source.text(row.cause)});
  add_table(section, std::move(table));
  return section;
}

Section methods_section(const Source& source) {
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
  Table scale;
  scale.caption = "The scale of this study.";
  scale.columns = columns({"quantity"}, {"value"});
  for (const NamedValue& value : study.scale)
    scale.rows.push_back({source.text(value.name), std::floor(value.value) == value.value
                                                       ? source.number(value.value, 0)
                                                       : source.significant(value.value)});
  add_table(section, std::move(scale));
  add_table(section, hashes_table(source));
  add(section, say("Heddle {}, instruction set {}, preset {}. The command:",
                   source.text(study.version), source.text(study.isa), source.text(study.preset)));
  section.blocks.emplace_back(Code{.text = source.text(study.command)});
  add(section, "The settings of the tuned recipe:");
  section.blocks.emplace_back(Code{.text = source.text(study.config)});
  return section;
}

}  // namespace heddle::report
