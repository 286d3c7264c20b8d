// Attention, ablation, pruning and roles of a run: see document.hpp.
#include <algorithm>
#include <cmath>

#include "heddle/report/addition/figures.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/run/document.hpp"
#include "heddle/report/web/widget.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kMostPairs = 12;

Text interval_head() {
  return say("{} interval", Source::constant("confidence"));
}

Text bands_sentence(const RunSource& source) {
  std::vector<const std::string*> bands;
  for (const Effect& effect : source.study().member.ablation.heads)
    if (effect.mode == "mean") bands.push_back(&effect.band);
  return say(
      "{} heads are critical (they cost more than {} points), {} important (more than {}), "
      "{} redundant on their own.",
      source.equal(bands, "critical"), Source::constant("critical"),
      source.equal(bands, "important"), Source::constant("important"),
      source.equal(bands, "redundant"));
}

/// The mode by which heads are ranked: mean where it was measured.
std::string main_mode(const Ablation& ablation) {
  const auto has = [&](const char* mode) {
    return std::ranges::any_of(ablation.heads,
                               [&](const Effect& effect) { return effect.mode == mode; });
  };
  return has("mean") ? "mean" : has("zero") ? "zero" : "resample";
}

Table ranked_table(const RunSource& source) {
  const Ablation& ablation = source.study().member.ablation;
  const std::string mode = main_mode(ablation);
  Table table;
  table.caption = "Every head, ranked by what its ablation costs.";
  table.columns = columns({"rank", "head", "band"},
                          {"drop (points)", interval_head(), "p, Holm", "right", "margin lost"});
  table.columns.front().right = true;
  table.falls = 3;
  for (const char* other : {"zero", "resample"})
    if (mode != other) table.columns.push_back({.head = say("{} (points)", Text(other))});
  std::size_t rank = 0;
  for (const Effect* effect : ranked(ablation.heads, mode)) {
    std::vector<Text> row{Source::rank(++rank),
                          source.label(effect->what),
                          source.text(effect->band),
                          source.points(effect->drop),
                          source.points_interval(effect->low, effect->high),
                          source.p(effect->p_holm),
                          source.of(effect->count),
                          source.number(effect->margin_drop, 2)};
    for (const char* other : {"zero", "resample"}) {
      if (mode == other) continue;
      const Effect* there = find_effect(ablation.heads, effect->what, other);
      row.push_back(there == nullptr ? Text("–") : Text(source.points(there->drop)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table modules_table(const RunSource& source) {
  const Ablation& ablation = source.study().member.ablation;
  Table table;
  table.caption = "Whole modules: all heads of a module at once.";
  table.columns = columns({"module", "mode"}, {"drop (points)", interval_head(), "p, Holm"});
  table.falls = 2;
  for (const Effect* effect : ranked(ablation.modules, main_mode(ablation)))
    table.rows.push_back(
        {source.label(effect->what), source.text(effect->mode), source.points(effect->drop),
         source.points_interval(effect->low, effect->high), source.p(effect->p_holm)});
  return table;
}

Table pairs_table(const RunSource& source) {
  std::vector<const PairEffect*> pairs;
  for (const PairEffect& pair : source.study().member.ablation.pairs)
    if (std::isfinite(pair.excess)) pairs.push_back(&pair);
  std::ranges::stable_sort(pairs, std::ranges::greater{}, [](auto* pair) { return pair->excess; });
  pairs.resize(std::min(pairs.size(), kMostPairs));
  Table table;
  table.caption = "The pairs that stand in for each other most.";
  table.columns =
      columns({"head", "head"}, {"excess (points)", "drop of both (points)", interval_head()});
  table.falls = 2;
  for (const PairEffect* pair : pairs)
    table.rows.push_back({source.label(pair->a), source.label(pair->b), source.points(pair->excess),
                          source.points(pair->drop),
                          source.points_interval(pair->low, pair->high)});
  return table;
}

Table models_table(const RunSource& source) {
  Table table;
  table.caption = "Before and after: the heads’ slices are gone from the weights.";
  table.columns = columns({"model"}, {"heads", "parameters", "right", "share", interval_head()});
  for (const SmallerModel& model : source.study().pruning.models)
    table.rows.push_back({source.text(model.name), source.count(model.heads_left),
                          source.count(model.parameters), source.of(model.scored),
                          source.share(model.scored),
                          source.percent_interval(model.low, model.high)});
  return table;
}

Table way_table(const RunSource& source) {
  Table table;
  table.caption = "The way down, head by head.";
  table.columns =
      columns({"cut"}, {"heads left", "right where chosen", "right where scored", interval_head()});
  for (const PrunePoint& point : source.study().pruning.curve.points)
    table.rows.push_back({point.cut.empty() ? Text("nothing yet") : Text(source.label(point.cut)),
                          source.count(point.heads_left), source.of(point.chosen_on),
                          source.of(point.scored), source.percent_interval(point.low, point.high)});
  return table;
}

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
  const MemberRecord& member = source.study().member;
  if (member.pictures.empty()) return section;
  add(section,
      "Question: where does each head look? A dark cell is a description, not a cause: beside each "
      "map stands what is lost when that head gives its mean output, where that was measured.");
  add_widget(section, attention_widget(source, member));
  const AttentionPicture& first = member.pictures.front();
  add_figure(section, "figures/attention.svg", "Attention maps of all heads on one question",
             say("Every head on {}; it says {}, right is {}.", source.text(first.name),
                 source.text(first.output), source.text(first.expected)),
             attention_model(member, first));
  return section;
}

Section run_ablation_section(const RunSource& source) {
  Section section{.id = "ablation", .title = "Ablation: what each head is worth", .blocks = {}};
  const MemberRecord& member = source.study().member;
  if (member.ablation.heads.empty()) return section;
  add(section, say("Question: which heads does the answer need? Each head’s output is replaced, by "
                   "its mean over {} other questions first of all. The intact model gets {} right.",
                   source.count(member.ablation.reference), source.of(member.ablation.baseline)));
  if (main_mode(member.ablation) == "mean") add(section, bands_sentence(source));
  add_figure(section, "figures/head_importance.svg", "Drop of every head with its interval",
             "All heads, ranked.", head_importance(member));
  add_table(section, ranked_table(source));
  add_table(section, modules_table(source));
  add_figure(section, "figures/redundancy_map.svg", "Excess drop of every pair of heads",
             "Single drops understate heads that cover for each other.", redundancy_map(member));
  add_table(section, pairs_table(source));
  return section;
}

Section run_pruning_section(const RunSource& source) {
  Section section{.id = "pruning", .title = "Pruning: how many heads can go", .blocks = {}};
  const RunPruning& pruning = source.study().pruning;
  if (pruning.curve.points.empty()) return section;
  add(section, goal_sentence(source));
  add_figure(section, "figures/pruning_curve.svg", "Answers right against heads left",
             "Joint removal, measured anew after every head.", run_pruning_curve(source.study()));
  add_table(section, models_table(source));
  add_table(section, way_table(source));
  return section;
}

Section run_roles_section(const RunSource& source) {
  Section section{.id = "roles", .title = "What heads attend to", .blocks = {}};
  const Specialisation& found = source.study().member.specialisation;
  if (found.roles.empty()) return section;
  add(section, say("Roles come from written rules, measured on {} questions. They say where a head "
                   "looks, not what it does.",
                   source.count(found.problems)));
  add_figure(section, "figures/role_map.svg", "Role and cost of every head",
             "A role without a cost is a habit, not a use.", role_map(source.study().member));
  Table table;
  table.caption = "The role of every head.";
  table.columns = columns({"head", "role"}, {"score"});
  for (const HeadRole& role : found.roles)
    table.rows.push_back(
        {source.label(role.head), source.text(role.role), source.number(role.score, 2)});
  add_table(section, table);
  return section;
}

}  // namespace heddle::report
