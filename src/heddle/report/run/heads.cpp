// Attention, ablation, pruning and roles of a run: see document.hpp.
#include <cmath>

#include "heddle/report/document/label.hpp"
#include "heddle/report/parts/ablation.hpp"
#include "heddle/report/parts/attention.hpp"
#include "heddle/report/parts/pruning.hpp"
#include "heddle/report/parts/roles.hpp"
#include "heddle/report/run/document.hpp"

namespace heddle::report {
namespace {

Text goal_sentence(const RunSource& source) {
  const RunPruning& pruning = source.study().pruning;
  if (std::isfinite(pruning.max_drop))
    return say(
        "Heads went one after the other (order: {}) as long as at most {} of the answers "
        "was lost on the questions that choose; others score.",
        source.text(pruning.curve.by), source.percent(pruning.max_drop, 2));
  return say(
      "Heads went one after the other (order: {}) until {} were left; questions that did "
      "not choose them score.",
      source.text(pruning.curve.by), source.count(pruning.keep));
}

}  // namespace

Section run_attention_section(const RunSource& source) {
  Section section{.id = "attention", .title = "Attention", .blocks = {}};
  add_attention(section, source, source.study().member, "figures/attention.svg");
  return section;
}

Section run_ablation_section(const RunSource& source) {
  Section section{.id = "ablation", .title = "Ablation: what each head is worth", .blocks = {}};
  add_ablation(section, source, source.study().member, "figures/head_importance.svg");
  return section;
}

Section run_pruning_section(const RunSource& source) {
  Section section{.id = "pruning", .title = "Pruning: how many heads can go", .blocks = {}};
  const RunPruning& pruning = source.study().pruning;
  if (pruning.curve.points.empty()) return section;
  add(section, goal_sentence(source));
  add_figure(section, "figures/pruning_curve.svg", "Answers right against heads left",
             "Joint removal, measured anew after every head.",
             pruning_curve(pruning.curve, name_of(source.study().member)));
  std::vector<SmallerRow> models;
  for (const SmallerModel& model : pruning.models) models.push_back({.owner = {}, .model = &model});
  add_table(section, smaller_table(source, {}, models));
  add_table(section, way_table(source, pruning.curve));
  return section;
}

Section run_roles_section(const RunSource& source) {
  Section section{.id = "roles", .title = "Specialisation: what heads do", .blocks = {}};
  add_roles(section, source, source.study().member);
  return section;
}

}  // namespace heddle::report
