// Claims, the reports' numbers and where a study comes from, for every study: see document.hpp.
#include <algorithm>
#include <cmath>

#include "heddle/report/document/document.hpp"

namespace heddle::report {
namespace {

Text findings_of(const Source& source, const Claim& claim) {
  std::vector<Text> texts;
  for (const Finding& finding : claim.findings)
    texts.push_back(
        say("{}: {} {}, {}", source.text(finding.recipe), source.of(finding.hits, finding.seeds),
            source.percent_interval(finding.low, finding.high), source.text(finding.text)));
  return joined(texts, "; ");
}

Text evidence_of(const Source& source, const Claim& claim,
                 std::span<const std::string_view> sections) {
  Piece piece = source.text(claim.evidence);
  if (std::ranges::find(sections, claim.evidence) != sections.end()) piece.target = claim.evidence;
  return piece;
}

Table claims_table(const Source& source, const std::vector<Claim>& claims,
                   std::span<const std::string_view> sections) {
  std::vector<const Claim*> order;
  for (const Claim& claim : claims) order.push_back(&claim);
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [](auto* claim) { return claim->logical ? 1 : 0; });
  Table table;
  table.caption =
      "Every claim as a predicate of one member with its rule, written down before the run; those "
      "settled by argument come first.";
  table.columns = columns({"claim", "report", "what it says", "verdict", "predicate and rule",
                           "what the members show", "why", "evidence"},
                          {});
  for (const Claim* claim : order)
    table.rows.push_back({source.text(claim->id), source.text(claim->report),
                          source.text(claim->statement), source.text(claim->verdict),
                          say("{}; {}", source.text(claim->predicate), source.text(claim->rule)),
                          claim->logical
                              ? say("settled by argument{}{}", claim->findings.empty() ? "" : "; ",
                                    findings_of(source, *claim))
                              : findings_of(source, *claim),
                          source.text(claim->reason), evidence_of(source, *claim, sections)});
  return table;
}

}  // namespace

Text claims_sentence(const Source& source, const std::vector<Claim>& claims) {
  std::vector<const Verdict*> verdicts;
  for (const Claim& claim : claims) verdicts.push_back(&claim.verdict);
  return say(
      "Of the {} claims of earlier reports that were put to the test, {} hold, {} are refuted and "
      "{} stay undecided.",
      source.size(claims), source.equal(verdicts, Verdict::holds),
      source.equal(verdicts, Verdict::refuted), source.equal(verdicts, Verdict::undecided));
}

Section claims_section(const Source& source, const std::vector<Claim>& claims,
                       std::span<const std::string_view> sections) {
  Section section{.id = "claims", .title = "Claims and verdicts", .blocks = {}};
  add_table(section, claims_table(source, claims, sections));
  return section;
}

Table reproductions_table(const Source& source, const std::vector<Reproduction>& rows) {
  Table table;
  table.caption = "Reported numbers beside the reproduction and the truth.";
  table.columns =
      columns({"report", "quantity", "reported", "with the defect", "sound", "cause"}, {});
  for (const Reproduction& row : rows)
    table.rows.push_back({source.text(row.report), source.text(row.quantity),
                          source.text(row.reported), source.text(row.with_defect),
                          source.text(row.truth), source.text(row.cause)});
  return table;
}

Table scale_table(const Source& source, const std::vector<NamedValue>& scale) {
  Table table;
  table.caption = "The scale of this study.";
  table.columns = columns({"quantity"}, {"value"});
  for (const NamedValue& value : scale)
    table.rows.push_back({source.text(value.name), std::floor(value.value) == value.value
                                                       ? source.number(value.value, 0)
                                                       : source.significant(value.value)});
  return table;
}

void add_origin(Section& section, const Source& source, const Origin& origin) {
  add(section,
      say("Heddle {}, instruction set {}, preset {}. The command:", source.text(origin.version),
          source.text(origin.isa), source.text(origin.preset)));
  section.blocks.emplace_back(Code{.text = source.text(origin.command)});
  add(section, "The settings of the tuned recipe:");
  section.blocks.emplace_back(Code{.text = source.text(origin.config)});
}

}  // namespace heddle::report
