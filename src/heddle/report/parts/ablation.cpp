// See ablation.hpp.
#include "heddle/report/parts/ablation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "heddle/report/document/label.hpp"
#include "heddle/report/document/number.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kMostPairs = 12;
/// As tables show them; the first that was measured ranks the heads.
constexpr std::array kModes{AblationMode::mean, AblationMode::zero, AblationMode::resample};

bool has_mode(const Ablation& ablation, AblationMode mode) {
  return std::ranges::find(ablation.heads, mode, &Effect::mode) != ablation.heads.end();
}

Text interval_head() {
  return say("{} interval", Source::constant("confidence"));
}

/// Each way in which heads were taken out.
Text modes_sentence(const Source& source, const Ablation& ablation) {
  std::vector<Text> ways;
  if (has_mode(ablation, AblationMode::mean))
    ways.push_back(say("by its mean over {} other questions", source.count(ablation.reference)));
  if (has_mode(ablation, AblationMode::zero)) ways.emplace_back("by zero");
  if (has_mode(ablation, AblationMode::resample))
    ways.push_back(
        say("by its value on other questions ({} donors each)", source.count(ablation.donors)));
  return say(
      "Question: which heads does the answer need? Each head’s output is replaced {}. The intact "
      "model gets {} right.",
      joined(ways, ", and "), source.of(ablation.baseline));
}

Text bands_sentence(const Source& source, const Ablation& ablation) {
  std::vector<const Band*> bands;
  for (const Effect& effect : ablation.heads)
    if (effect.mode == main_mode(ablation)) bands.push_back(&effect.band);
  return say(
      "{} heads are critical (they cost more than {} points), {} important (more than {}), "
      "{} redundant on their own.",
      source.equal(bands, Band::critical), Source::constant("critical"),
      source.equal(bands, Band::important), Source::constant("important"),
      source.equal(bands, Band::redundant));
}

Table ranked_table(const Source& source, const Ablation& ablation) {
  const AblationMode mode = main_mode(ablation);
  std::vector<AblationMode> others;
  for (const AblationMode other : kModes)
    if (mode != other && has_mode(ablation, other)) others.push_back(other);
  Table table;
  table.caption = "Every head, ranked by what its ablation costs.";
  table.columns = columns({"rank", "head", "band"},
                          {"drop (points)", interval_head(), "p, Holm", "right", "margin lost"});
  table.columns.front().right = true;
  table.falls = 3;
  for (const AblationMode other : others)
    table.columns.push_back({.head = say("{} (points)", Text(std::string(name_of(other))))});
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
    for (const AblationMode other : others) {
      const Effect* there = find_effect(ablation.heads, effect->what, other);
      row.push_back(there == nullptr ? Text(kNoData) : Text(source.points(there->drop)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table modules_table(const Source& source, const Ablation& ablation) {
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

Table pairs_table(const Source& source, const Ablation& ablation) {
  std::vector<const PairEffect*> pairs;
  for (const PairEffect& pair : ablation.pairs)
    if (std::isfinite(pair.excess)) pairs.push_back(&pair);
  std::ranges::stable_sort(pairs, std::ranges::greater{}, [](auto* pair) { return pair->excess; });
  pairs.resize(std::min(pairs.size(), kMostPairs));
  Table table;
  table.caption =
      "The pairs that stand in for each other most: what both together cost beyond the sum of the "
      "two.";
  table.columns =
      columns({"head", "head"}, {"excess (points)", "drop of both (points)", interval_head()});
  table.falls = 2;
  for (const PairEffect* pair : pairs)
    table.rows.push_back({source.label(pair->a), source.label(pair->b), source.points(pair->excess),
                          source.points(pair->drop),
                          source.points_interval(pair->low, pair->high)});
  return table;
}

}  // namespace

AblationMode main_mode(const Ablation& ablation) {
  for (const AblationMode mode : kModes)
    if (has_mode(ablation, mode)) return mode;
  return kModes.back();
}

void add_ablation(Section& section, const Source& source, const MemberRecord& member,
                  const std::string& figure) {
  const Ablation& ablation = member.ablation;
  if (ablation.heads.empty()) return;
  add(section, modes_sentence(source, ablation));
  add(section, bands_sentence(source, ablation));
  add_figure(section, figure, "Drop of every head with its interval", "All heads, ranked.",
             head_importance(source, member));
  add_table(section, ranked_table(source, ablation));
  add_table(section, modules_table(source, ablation));
  add_figure(section, "figures/redundancy_map.svg", "Excess drop of every pair of heads",
             "Single drops understate heads that cover for each other.", redundancy_map(member));
  add_table(section, pairs_table(source, ablation));
}

}  // namespace heddle::report
