// Attention, ablation and pruning: see document.hpp.
#include "heddle/report/addition/document.hpp"
#include "heddle/report/addition/figures.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/parts/ablation.hpp"
#include "heddle/report/parts/attention.hpp"
#include "heddle/report/parts/pruning.hpp"
#include "heddle/report/web/widget.hpp"

namespace heddle::report {
namespace {

/// Opens a section with the member that it is about, unless it has nothing to show.
void open_with_member(Section& section, const AdditionSource& source, const MemberRecord& member) {
  if (section.blocks.empty()) return;
  const Text words =
      say("The member shown is {}, seed {}.", source.text(member.recipe), source.seed(member.seed));
  section.blocks.insert(section.blocks.begin(), Paragraph{.text = words});
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

Table smaller_models(const AdditionSource& source) {
  std::vector<SmallerRow> rows;
  for (const MemberRecord& member : source.study().members)
    for (const SmallerModel& model : member.pruning.smaller)
      rows.push_back(
          {.owner = {source.text(member.recipe), source.seed(member.seed)}, .model = &model});
  return smaller_table(source, columns({"recipe"}, {"seed"}), rows);
}

}  // namespace

Section attention_section(const AdditionSource& source) {
  Section section{.id = "attention", .title = "Attention", .blocks = {}};
  const MemberRecord* member = member_to_show(source.study());
  if (member == nullptr) return section;
  add_attention(section, source, *member, "attention_patterns/example_0_model.svg");
  add_figure(section, "figures/attention_averages.svg",
             "Attention maps of all heads, averaged over problems",
             "The same, averaged over all problems. Files for each example and module stand in "
             "attention_patterns.",
             attention_averages(source, *member));
  open_with_member(section, source, *member);
  return section;
}

Section ablation_section(const AdditionSource& source) {
  Section section{.id = "ablation", .title = "Ablation: what each head is worth", .blocks = {}};
  const MemberRecord* member = member_to_show(source.study());
  if (member == nullptr) return section;
  add_ablation(section, source, *member, "head_analysis/head_importance.svg");
  open_with_member(section, source, *member);
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
  add_table(section, smaller_models(source));
  return section;
}

}  // namespace heddle::report
