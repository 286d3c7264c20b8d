// What patching, probes and the audit found on a run, a table each: see document.hpp.
#include <algorithm>
#include <cmath>

#include "heddle/report/document/number.hpp"
#include "heddle/report/run/document.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kMostEffects = 10;
constexpr int kDecimals = 3;

/// Largest first by `size`; what is no number last, and no more than the first ten.
template <class Row, class Size>
std::vector<const Row*> first_of(const std::vector<Row>& rows, const Size& size) {
  std::vector<const Row*> found;
  for (const Row& row : rows) found.push_back(&row);
  std::ranges::stable_sort(found, std::greater{}, [&](const Row* row) {
    const double here = size(*row);
    return std::isfinite(here) ? here : -HUGE_VAL;
  });
  found.resize(std::min(found.size(), kMostEffects));
  return found;
}

Text number_or_none(const RunSource& source, const double& value) {
  return std::isfinite(value) ? Text(source.number(value, kDecimals)) : Text(kNoData);
}

Text interval_or_none(const RunSource& source, const double& low, const double& high) {
  return std::isfinite(low) && std::isfinite(high)
             ? Text(source.number_interval(low, high, kDecimals))
             : Text(kNoData);
}

constexpr auto kEffectSize = [](const auto& effect) { return std::abs(effect.effect); };

Table carry_effects(const RunSource& source) {
  Table table;
  table.caption = "The heads that move most of a carry, at all positions at once.";
  table.columns =
      columns({"head", "the carry is"}, {"out of column", "effect", "interval", "control"});
  for (const PatchEffect* effect : first_of(source.study().member.patching.heads, kEffectSize))
    table.rows.push_back({source.label(effect->place),
                          effect->direction == "on" ? Text("brought") : Text("taken away"),
                          source.count(effect->column), number_or_none(source, effect->effect),
                          interval_or_none(source, effect->low, effect->high),
                          number_or_none(source, effect->control)});
  return table;
}

Table pair_effects(const RunSource& source) {
  Table table;
  table.caption =
      "The heads that move most of the difference between the pairs’ inputs, at all "
      "positions at once.";
  table.columns = columns({"head"}, {"effect", "interval", "control"});
  for (const PlaceEffect* effect : first_of(source.study().pairs.heads, kEffectSize))
    table.rows.push_back({source.label(effect->place), number_or_none(source, effect->effect),
                          interval_or_none(source, effect->low, effect->high),
                          number_or_none(source, effect->control)});
  return table;
}

constexpr auto kAccuracy = [](const auto& probe) { return probe.accuracy; };

Table carry_probes(const RunSource& source) {
  Table table;
  table.caption = "Where a carry bit is read off best.";
  table.columns = columns({"bit", "place", "at"}, {"accuracy", "interval", "control", "untrained"});
  for (const ProbeResult* probe : first_of(source.study().member.probing.probes, kAccuracy))
    table.rows.push_back(
        {source.text(probe->target), source.text(probe->tap), source.text(probe->token),
         number_or_none(source, probe->accuracy), interval_or_none(source, probe->low, probe->high),
         number_or_none(source, probe->control), number_or_none(source, probe->untrained)});
  return table;
}

Table label_probes(const RunSource& source) {
  Table table;
  table.caption = "Where the label is read off best.";
  table.columns = columns({"place", "at"}, {"accuracy", "interval", "shuffled labels"});
  for (const LabelProbe* probe : first_of(source.study().labels.probes, kAccuracy))
    table.rows.push_back(
        {source.text(probe->tap),
         probe->position < 0 ? Text("mean of all") : Text(source.count(probe->position)),
         number_or_none(source, probe->accuracy), interval_or_none(source, probe->low, probe->high),
         number_or_none(source, probe->shuffled)});
  return table;
}

}  // namespace

Section run_patching_section(const RunSource& source) {
  Section section{.id = "patching", .title = "Patching: what carries a difference", .blocks = {}};
  const bool carries = !source.study().member.patching.heads.empty();
  const PairPatching& pairs = source.study().pairs;
  if (carries || !pairs.heads.empty())
    add(section, say("An effect is the share of the difference between two inputs’ answers that "
                     "one head moves, its output on the first taken from the second; the control "
                     "takes it from an input that differs as much and should not matter."));
  if (carries) add_table(section, carry_effects(source));
  if (pairs.heads.empty()) return section;
  if (!pairs.told_apart)
    add(section, say("The member does not tell the inputs of the {} pairs apart: there is no "
                     "difference to share out.",
                     source.count(pairs.pairs)));
  if (pairs.told_apart) add_table(section, pair_effects(source));
  return section;
}

Section run_probing_section(const RunSource& source) {
  Section section{.id = "probing", .title = "Probes: what can be read off", .blocks = {}};
  const Probing& carries = source.study().member.probing;
  const LabelProbing& labels = source.study().labels;
  if (!carries.probes.empty()) {
    add(section, say("Linear probes, fitted on {} problems and scored on {} others, half of them "
                     "with the bit.",
                     source.count(carries.trained_on), source.count(carries.tested_on)));
    add_table(section, carry_probes(source));
  }
  if (!labels.probes.empty()) {
    add(section, say("Linear probes for {} labels of {} inputs, each input scored by a probe that "
                     "was fitted without it; guessing is right for {}.",
                     source.size(labels.labels), source.count(labels.inputs),
                     source.number(labels.chance, kDecimals)));
    add_table(section, label_probes(source));
  }
  return section;
}

Section run_audit_section(const RunSource& source) {
  Section section{.id = "audit", .title = "Audit: what the score does not say", .blocks = {}};
  const Audit& audit = source.study().audit;
  if (audit.checks.empty()) return section;
  Table table;
  table.caption = "Every check of the run’s data, training and decoding.";
  table.columns = columns({"check", "verdict", "finding"}, {});
  for (const AuditCheck& check : audit.checks)
    table.rows.push_back(
        {source.text(check.name), source.text(check.verdict), source.text(check.finding)});
  add_table(section, std::move(table));
  return section;
}

}  // namespace heddle::report
