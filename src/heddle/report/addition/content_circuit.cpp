// Roles, the carry circuit, the population and the training: see document.hpp.
#include <algorithm>
#include <cmath>

#include "heddle/base/index.hpp"
#include "heddle/report/addition/document.hpp"
#include "heddle/report/addition/figures.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/parts/roles.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kMostRows = 15;

/// Heads down, measures across, with the uniform head's values in the last row.
Table measures_table(const AdditionSource& source, const std::vector<HeadMeasure>& measures,
                     Text caption) {
  Table table;
  table.caption = std::move(caption);
  std::vector<std::string> heads;
  std::vector<const HeadMeasure*> names;
  for (const HeadMeasure& measure : measures) {
    if (std::ranges::find(heads, measure.head) == heads.end()) heads.push_back(measure.head);
    if (std::ranges::none_of(names, [&](auto* known) { return known->measure == measure.measure; }))
      names.push_back(&measure);
  }
  table.columns = columns({"head"}, {});
  for (const HeadMeasure* name : names)
    table.columns.push_back({.head = source.text(name->measure)});
  for (const std::string& head : heads) {
    std::vector<Text> row(names.size() + 1, "–");
    for (const HeadMeasure& measure : measures) {
      if (measure.head != head) continue;
      row[0] = source.label(measure.head);
      const auto at =
          std::ranges::find_if(names, [&](auto* name) { return name->measure == measure.measure; });
      row[to_size(at - names.begin()) + 1] =
          say("{} ({})", source.number(measure.value, 3), source.number(measure.uniform, 3));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table patches_table(const AdditionSource& source, const MemberRecord& member) {
  std::vector<const PatchEffect*> effects;
  for (const auto* list :
       {&member.patching.heads, &member.patching.places, &member.patching.stream})
    for (const PatchEffect& effect : *list)
      if (std::isfinite(effect.effect)) effects.push_back(&effect);
  std::ranges::stable_sort(effects, std::ranges::greater{},
                           [](auto* effect) { return effect->effect; });
  effects.resize(std::min(effects.size(), kMostRows));
  Table table;
  table.caption =
      "The places that move the answer most (all of them in tables/patching.csv). Column: which "
      "carry is flipped, counted from the units.";
  table.columns = columns({"place", "token", "carry"},
                          {"column", "effect", say("{} interval", Source::constant("confidence")),
                           "control", "its interval", "pairs"});
  table.falls = 4;
  for (const PatchEffect* effect : effects)
    table.rows.push_back(
        {source.label(effect->place),
         effect->token.empty() ? Text("all positions") : Text(source.text(effect->token)),
         source.text(effect->direction), source.count(effect->column),
         source.number(effect->effect, 3), source.number_interval(effect->low, effect->high, 3),
         source.number(effect->control, 3),
         source.number_interval(effect->control_low, effect->control_high, 3),
         source.count(effect->pairs)});
  return table;
}

Table probes_table(const AdditionSource& source, const MemberRecord& member) {
  std::vector<const ProbeResult*> probes;
  for (const ProbeResult& probe : member.probing.probes)
    if (std::isfinite(probe.accuracy)) probes.push_back(&probe);
  std::ranges::stable_sort(probes, std::ranges::greater{},
                           [](auto* probe) { return probe->accuracy; });
  probes.resize(std::min(probes.size(), kMostRows));
  Table table;
  table.caption =
      "Probes that read best (all of them in tables/probes.csv), beside their controls.";
  table.columns =
      columns({"tap", "token", "bit"},
              {"accuracy", say("{} interval", Source::constant("confidence")), "commoner bit",
               "other thresholds", "untrained model", "held-out digit pairs"});
  table.falls = 3;
  for (const ProbeResult* probe : probes)
    table.rows.push_back({source.label(probe->tap), source.text(probe->token),
                          source.text(probe->target), source.percent(probe->accuracy),
                          source.percent_interval(probe->low, probe->high),
                          source.percent(probe->majority), source.percent(probe->control),
                          source.percent(probe->untrained), source.percent(probe->held_out)});
  return table;
}

}  // namespace

Section roles_section(const AdditionSource& source) {
  Section section{.id = "roles", .title = "Specialisation: what heads do", .blocks = {}};
  add(section,
      "Question: do heads specialise, and in what? Measures of attention stand beside the value "
      "that a head with uniform attention would have.");
  add_figure(section, "figures/roles.svg", "Share of seeds with each role",
             "Roles over the seeds of each recipe.", roles(source));
  const MemberRecord* member = member_to_show(source.study());
  if (member == nullptr) return section;
  add_roles(section, source, *member);
  add_figure(section, "figures/sharpness.svg", "Cost of every head against its entropy",
             "Where a head looks sharply is not yet where it matters.",
             sharpness(source.study(), *member));
  add_table(section,
            measures_table(source, member->specialisation.measures,
                           "Measures of every head; in brackets what a uniform head would have."));
  add_table(section, measures_table(source, member->specialisation.as_reported,
                                    "The same heads by the definitions of one of the reports; in "
                                    "brackets what a uniform head would have."));
  return section;
}

Section circuit_section(const AdditionSource& source) {
  Section section{.id = "circuit", .title = "The carry circuit", .blocks = {}};
  const MemberRecord* member = member_to_show(source.study());
  if (member == nullptr) return section;
  add(section,
      "Question: which places carry the carry? Activation patching moves one place from a problem "
      "that differs in exactly one carry; the effect "
      "is the share of the logit difference that moves. Control pairs have no flipped carry.");
  add_figure(section, "figures/carry_circuit.svg", "Effect of patching by layer, position and head",
             "Where the carry travels, column by column.", carry_circuit(*member));
  add_figure(section, "figures/carry_flow.svg", "The path of each carry through the model",
             "The path, from the column that makes a carry to the digit that needs it.",
             carry_flow(source, *member));
  add_table(section, patches_table(source, *member));
  add_table(section,
            estimates_table(source, &Population::circuit, "Over the seeds of each recipe."));
  add(section,
      say("A linear probe asks whether a bit can be read off a place, trained on {} and tested on "
          "{} problems. Any mixture of two digits tells "
          "something about their sum, so only what exceeds the controls counts.",
          source.count(member->probing.trained_on), source.count(member->probing.tested_on)));
  add_figure(section, "figures/probes.svg", "Probe accuracy beyond its controls",
             "Where a carry can be read off, beyond the controls.", probes(*member));
  add_table(section, probes_table(source, *member));
  return section;
}

Section population_section(const AdditionSource& source) {
  Section section{.id = "population", .title = "Over many seeds", .blocks = {}};
  add(section,
      "Question: what survives a change of seed? Head numbers are exchangeable between seeds, so "
      "members are compared by ranked profiles, by "
      "modules, and by heads matched on what they attend to.");
  add_table(section,
            estimates_table(source, &Population::headline, "Headline numbers over seeds."));
  add_figure(section, "figures/critical_module.svg",
             "Share of seeds by module of the most critical head",
             "Where the most critical head sits.", critical_module(source));
  add_table(section,
            estimates_table(source, &Population::critical_module,
                            "Share of seeds whose most critical head sits in the module."));
  add_table(section,
            estimates_table(source, &Population::profile, "Drop of the head at each rank."));
  add_table(section, estimates_table(source, &Population::contrasts, "Modules against the rest."));
  for (const Population& population : source.study().populations) {
    const Matching& matching = population.matching;
    if (matching.pairs_of_members == 0) continue;
    add(section, say("{}: heads of {} pairs of members, matched on attention alone, agree in what "
                     "they are worth with a rank correlation of {} ({} interval {}); "
                     "random matchings reach {} (p {}).",
                     source.text(population.recipe), source.count(matching.pairs_of_members),
                     source.number(matching.agreement, 2), Source::constant("confidence"),
                     source.number_interval(matching.low, matching.high, 2),
                     source.number(matching.random, 2), source.p(matching.p)));
  }
  return section;
}

Section training_section(const AdditionSource& source) {
  Section section{.id = "training", .title = "Through training", .blocks = {}};
  std::string figure = through_training(source.study());
  if (figure.empty()) return section;
  add(section,
      "Question: when does each role appear, and when does accuracy? The same measures at "
      "checkpoints of the training.");
  add_figure(section, "figures/through_training.svg",
             "Accuracy by carries, critical heads, roles and measures against the step",
             "Through training, on a logarithmic axis.", std::move(figure));
  return section;
}

}  // namespace heddle::report
