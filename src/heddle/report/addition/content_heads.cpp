// Attention, ablation and pruning: see document.hpp.
#include <algorithm>
#include <cmath>

#include "heddle/report/addition/document.hpp"
#include "heddle/report/addition/figures.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/web/widget.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kMostPairs = 12;

const AttentionPicture* first_example(const MemberRecord& member) {
  const auto found = std::ranges::find_if(member.pictures, [](const AttentionPicture& picture) {
    return picture.problems == 1 && !picture.modules.empty();
  });
  return found == member.pictures.end() ? nullptr : &*found;
}

Text specimen_words(const AdditionSource& source, const MemberRecord& member) {
  return say("{}, seed {}", source.text(member.recipe), source.seed(member.seed));
}

Table ranked_table(const AdditionSource& source, const MemberRecord& member) {
  Table table;
  table.caption = say("Every head of {}, ranked by what its mean ablation costs.",
                      specimen_words(source, member));
  table.columns =
      columns({"rank", "head", "band"},
              {"drop (points)", say("{} interval", Source::constant("confidence")), "p, Holm",
               "right", "margin lost", "zero (points)", "resample (points)"});
  table.columns.front().right = true;
  table.falls = 3;
  std::size_t rank = 0;
  for (const Effect* effect : ranked(member.ablation.heads, "mean")) {
    const Effect* zero = find_effect(member.ablation.heads, effect->what, "zero");
    const Effect* other = find_effect(member.ablation.heads, effect->what, "resample");
    table.rows.push_back(
        {Source::rank(++rank), source.label(effect->what), source.text(effect->band),
         source.points(effect->drop), source.points_interval(effect->low, effect->high),
         source.p(effect->p_holm), source.of(effect->count), source.number(effect->margin_drop, 2),
         zero == nullptr ? Text("–") : Text(source.points(zero->drop)),
         other == nullptr ? Text("–") : Text(source.points(other->drop))});
  }
  return table;
}

Table modules_table(const AdditionSource& source, const MemberRecord& member) {
  Table table;
  table.caption = "Whole modules: all heads of a module at once.";
  table.columns =
      columns({"module", "mode"},
              {"drop (points)", say("{} interval", Source::constant("confidence")), "p, Holm"});
  table.falls = 2;
  for (const Effect* effect : ranked(member.ablation.modules, "mean"))
    table.rows.push_back(
        {source.label(effect->what), source.text(effect->mode), source.points(effect->drop),
         source.points_interval(effect->low, effect->high), source.p(effect->p_holm)});
  return table;
}

Table pairs_table(const AdditionSource& source, const MemberRecord& member) {
  std::vector<const PairEffect*> pairs;
  for (const PairEffect& pair : member.ablation.pairs)
    if (std::isfinite(pair.excess)) pairs.push_back(&pair);
  std::ranges::stable_sort(pairs, std::ranges::greater{}, [](auto* pair) { return pair->excess; });
  pairs.resize(std::min(pairs.size(), kMostPairs));
  Table table;
  table.caption =
      "The pairs that stand in for each other most: what both together cost beyond the sum of the "
      "two.";
  table.columns = columns({"head", "head"}, {"excess (points)", "drop of both (points)",
                                             say("{} interval", Source::constant("confidence"))});
  table.falls = 2;
  for (const PairEffect* pair : pairs)
    table.rows.push_back({source.label(pair->a), source.label(pair->b), source.points(pair->excess),
                          source.points(pair->drop),
                          source.points_interval(pair->low, pair->high)});
  return table;
}

Text bands_sentence(const AdditionSource& source, const MemberRecord& member) {
  std::vector<const std::string*> bands;
  for (const Effect& effect : member.ablation.heads)
    if (effect.mode == "mean") bands.push_back(&effect.band);
  return say(
      "In {}: {} heads are critical (they cost more than {} points), {} important (more than {}), "
      "{} redundant on their own.",
      specimen_words(source, member), source.equal(bands, "critical"), Source::constant("critical"),
      source.equal(bands, "important"), Source::constant("important"),
      source.equal(bands, "redundant"));
}

Table counts_table(const AdditionSource& source) {
  Table table;
  table.caption =
      "The reports' way of counting: heads whose single ablation costs little. It overstates what "
      "can go together.";
  table.columns = columns({"recipe"}, {"seed"});
  table.columns.push_back({.head = "mode", .right = false});
  for (const Text& head : {say("≤ {} point", Source::constant("one-point")),
                           say("≤ {} points", Source::constant("five-points")),
                           say("relative ≤ {}", Source::constant("relative")), Text("must stay")})
    table.columns.push_back({.head = head});
  for (const MemberRecord& member : source.study().members)
    for (const PruneCounts& counts : member.pruning.counts)
      table.rows.push_back({source.text(member.recipe), source.seed(member.seed),
                            source.text(counts.mode),
                            source.of(counts.within_1_point, counts.heads),
                            source.of(counts.within_5_points, counts.heads),
                            source.of(counts.within_relative_1_percent, counts.heads),
                            source.size(counts.must_retain)});
  return table;
}

Table free_table(const AdditionSource& source) {
  Table table;
  table.caption = "Heads gone together before the scored problems show a new mistake.";
  table.columns = columns({"recipe"}, {"seed"});
  table.columns.push_back({.head = "order of removal", .right = false});
  table.columns.push_back({.head = "heads gone for free"});
  for (const MemberRecord& member : source.study().members)
    for (const PruneCurve& curve : member.pruning.curves)
      if (curve.repeat == 0)
        table.rows.push_back({source.text(member.recipe), source.seed(member.seed),
                              source.text(curve.by), source.count(curve.free_heads)});
  return table;
}

Table smaller_table(const AdditionSource& source) {
  Table table;
  table.caption = "Really smaller models: heads cut out of the weights, and controls.";
  table.columns = columns({"recipe"}, {"seed"});
  table.columns.push_back({.head = "model", .right = false});
  for (const char* head : {"heads left", "parameters", "steps after the cut", "right", "share"})
    table.columns.push_back({.head = head});
  table.columns.push_back({.head = say("{} interval", Source::constant("confidence"))});
  for (const MemberRecord& member : source.study().members)
    for (const SmallerModel& model : member.pruning.smaller)
      table.rows.push_back({source.text(member.recipe), source.seed(member.seed),
                            source.text(model.name), source.count(model.heads_left),
                            source.count(model.parameters), source.count(model.steps),
                            source.of(model.scored), source.share(model.scored),
                            source.percent_interval(model.low, model.high)});
  return table;
}

}  // namespace

Section attention_section(const AdditionSource& source) {
  Section section{.id = "attention", .title = "Attention", .blocks = {}};
  const MemberRecord* member = specimen_of(source.study());
  if (member == nullptr || member->pictures.empty()) return section;
  add(section, say("Question: where does each head look? A bright or dark cell is a description, "
                   "not a cause: beside each map stands what the "
                   "member loses when that head gives its mean output. The member shown is {}.",
                   specimen_words(source, *member)));
  add_widget(section, attention_widget(source, *member));
  if (const AttentionPicture* example = first_example(*member))
    add_figure(
        section, "attention_patterns/example_0_model.svg",
        "Attention maps of all heads on one problem",
        say("Every head on {}. Files for each example and module stand in attention_patterns.",
            source.text(example->name)),
        attention_model(*member, *example));
  add_figure(section, "figures/attention_averages.svg",
             "Attention maps of all heads, averaged over problems",
             "The same, averaged over all problems.", attention_averages(*member));
  return section;
}

Section ablation_section(const AdditionSource& source) {
  Section section{.id = "ablation", .title = "Ablation: what each head is worth", .blocks = {}};
  const MemberRecord* member = specimen_of(source.study());
  if (member == nullptr || member->ablation.heads.empty()) return section;
  add(section, say("Question: which heads does the answer need? Each head's output is replaced by "
                   "its mean over {} other problems, by zero, and by its "
                   "value on other problems ({} donors each). The intact member gets {} right.",
                   source.count(member->ablation.reference), source.count(member->ablation.donors),
                   source.of(member->ablation.baseline)));
  add(section, bands_sentence(source, *member));
  add_figure(section, "head_analysis/head_importance.svg", "Drop of every head with its interval",
             "All heads of one member, ranked.", head_importance(*member));
  add_table(section, ranked_table(source, *member));
  add_table(section, modules_table(source, *member));
  add_figure(section, "figures/redundancy_map.svg", "Excess drop of every pair of heads",
             "Single drops understate heads that cover for each other.", redundancy_map(*member));
  add_table(section, pairs_table(source, *member));
  return section;
}

Section pruning_section(const AdditionSource& source) {
  Section section{.id = "pruning", .title = "Pruning: how many heads can go", .blocks = {}};
  add(section,
      "Question: how many heads can go together? Counting heads that are harmless one by one is "
      "not the same as removing them "
      "jointly: below, heads go one after the other, each choice measured on problems that do not "
      "score it.");
  add_figure(section, "figures/pruning_curves.svg", "Accuracy against heads left",
             "Joint removal by measured drop, by gradient importance, and at random.",
             pruning_curves(source.study()));
  add_widget(section, pruning_widget(source));
  add_table(section,
            estimates_table(source, &Population::pruning, "Over the seeds of each recipe."));
  add_table(section, counts_table(source));
  add_table(section, free_table(source));
  add_table(section, smaller_table(source));
  return section;
}

}  // namespace heddle::report
