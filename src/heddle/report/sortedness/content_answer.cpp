// The answer, the encodings and the kinds of negatives: see document.hpp.
#include <algorithm>

#include "heddle/report/sortedness/cells.hpp"
#include "heddle/report/sortedness/document.hpp"
#include "heddle/report/sortedness/figures.hpp"
#include "heddle/report/web/widget.hpp"

namespace heddle::report {
namespace {

constexpr std::int64_t kAnyLength = std::int64_t{1} << 40U;

Text recipe_sentence(const SortSource& source) {
  const SortednessStudy& study = source.study();
  const Populations recipes = group_of(study, "recipe");
  if (recipes.empty()) return {};
  const SortView view = main_view(recipes, main_kind(study));
  const SortEstimate* at =
      find_estimate(*recipes[0], view, common_length({recipes[0]}, view, kAnyLength));
  if (at == nullptr) return {};
  return say(
      "Trained on lengths {} to {}, the recipe{} answers {} of the sequences of length {} right "
      "in the median seed and {} in the worst of {}, where the unsorted ones are of the kind {}{} "
      "and the values {}.",
      source.count(study.train_shortest), source.count(study.train_longest),
      recipes[0]->recipe == "recipe" ? Text{} : say(" {}", source.text(recipes[0]->recipe)),
      source.percent(at->median), source.count(at->length), source.percent(at->worst),
      source.count(at->seeds), source.text(at->kind),
      at->kind == "adjacent" ? " (one adjacent pair swapped)" : "", source.text(at->values));
}

Text required_sentence(const SortSource& source) {
  const SortednessStudy& study = source.study();
  const Populations required = group_of(study, "required");
  if (required.empty()) return {};
  const SortView view = main_view(required, main_kind(study));
  const std::int64_t length = common_length(required, view, kCompared);
  std::vector<Text> scores;
  std::size_t reached = 0;
  for (const SortPopulation* population : required)
    if (const SortEstimate* at = find_estimate(*population, view, length)) {
      scores.push_back(say("{} {}{}", source.text(population->recipe), source.percent(at->median),
                           population->reads_order ? " (its pooling reads order)" : ""));
      reached += at->median >= study.learned_bar ? 1 : 0;
    }
  const SortEstimate* heading = first_of_length(required, length);
  if (scores.empty() || heading == nullptr) return {};
  return say(
      "At length {} the encodings that the reports compared score, in the median seed: {}; {} is "
      "guessing, and {} {}.",
      source.count(heading->length), joined(scores, ", "), Source::constant("guess"),
      reached == 0               ? "none of them reaches"
      : reached == scores.size() ? "all of them reach"
                                 : "some of them reach",
      source.percent(study.learned_bar, 0));
}

/// Rows of recipes, columns of lengths: medians, the lowest seed beside them.
Table lengths_table(const SortSource& source, const Populations& populations,
                    const SortView& view) {
  Table table;
  const SortEstimate* any = nullptr;
  for (const SortPopulation* population : populations)
    for (const SortEstimate& estimate : population->estimates)
      if (any == nullptr && view.shows(estimate)) any = &estimate;
  if (any == nullptr) return table;
  table.caption = say("Accuracy against length on {} negatives, {} values: the median seed.",
                      source.text(any->kind), source.text(any->values));
  table.columns = columns({"recipe", "encoding", "pooling"}, {"seeds"});
  const auto lengths = lengths_of(populations, view);
  for (const std::int64_t length : lengths)
    table.columns.push_back({.head = length_head(source, populations, length)});
  for (const SortPopulation* population : populations) {
    std::vector<Text> row{source.text(population->recipe), source.text(population->position),
                          say("{}{}", source.text(population->pooling),
                              population->reads_order ? " (reads order)" : ""),
                          source.size(population->seeds)};
    bool empty = true;
    for (const std::int64_t length : lengths) {
      const SortEstimate* at = find_estimate(*population, view, length);
      empty = empty && at == nullptr;
      row.push_back(at == nullptr ? Text("–") : Text(source.percent(at->median)));
    }
    if (!empty) table.rows.push_back(std::move(row));
  }
  return table;
}

Populations trained(const SortednessStudy& study) {
  Populations all;
  for (const SortPopulation& population : study.populations)
    if (population.group != "reports") all.push_back(&population);
  return all;
}

/// Rows of recipes, columns of kinds, at one length.
Table kinds_table(const SortSource& source, const Populations& populations) {
  const std::int64_t length =
      common_length(populations, main_view(populations, main_kind(source.study())), kCompared);
  std::vector<SortView> views;
  for (const SortView& view : views_of(populations))
    if (view.delta <= 1 && main_view(populations, view.kind).values == view.values &&
        std::ranges::any_of(populations, [&](auto* population) {
          return find_estimate(*population, view, length) != nullptr;
        }))
      views.push_back(view);
  Table table;
  const SortEstimate* heading = first_of_length(populations, length);
  if (views.empty() || heading == nullptr) return table;
  table.caption =
      say("Accuracy at length {} by kind of negative: the median seed, and the worst in brackets.",
          source.count(heading->length));
  table.columns = columns({"recipe"}, {});
  for (const SortView& view : views)
    table.columns.push_back({.head = kind_head(source, populations, view)});
  for (const SortPopulation* population : populations) {
    std::vector<Text> row{source.text(population->recipe)};
    for (const SortView& view : views)
      row.push_back(median_and_worst(source, find_estimate(*population, view, length)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Rows of recipes, columns of depths, at one length.
Table dips_table(const SortSource& source, const Populations& populations) {
  const SortView main = main_view(populations, "dip");
  const std::int64_t length = common_length(populations, main, kCompared);
  std::vector<SortView> views = views_of(populations, "dip");
  std::erase_if(views, [&](const SortView& view) { return view.values != main.values; });
  std::ranges::sort(views, {}, &SortView::delta);
  Table table;
  const SortEstimate* heading = first_of_length(populations, length);
  if (views.size() < 2 || heading == nullptr) return table;
  table.caption =
      say("Accuracy at length {} by depth of the dip: the median seed, and the worst in brackets.",
          source.count(heading->length));
  table.columns = columns({"recipe"}, {});
  for (const SortView& view : views)
    table.columns.push_back({.head = kind_head(source, populations, view)});
  for (const SortPopulation* population : populations) {
    std::vector<Text> row{source.text(population->recipe)};
    std::size_t known = 0;
    for (const SortView& view : views) {
      const SortEstimate* at = find_estimate(*population, view, length);
      known += at == nullptr ? 0 : 1;
      row.push_back(median_and_worst(source, at));
    }
    if (known > 1) table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Section answer_section(const SortSource& source) {
  Section section{.id = "answer", .title = "The answer", .blocks = {}};
  const SortednessStudy& study = source.study();
  add_lead(section, recipe_sentence(source));
  add_lead(section, required_sentence(source));
  if (!study.claims.empty()) add_lead(section, claims_sentence(source, study.claims));
  add_figure(section, "extrapolation_curves.svg",
             "Accuracy against length of the recipe and the required encodings",
             "Is this sequence sorted? Trained on short sequences, asked about long ones.",
             extrapolation_curves(study));
  return section;
}

Section extrapolation_section(const SortSource& source) {
  Section section{.id = "extrapolation", .title = "Which encodings extrapolate", .blocks = {}};
  const SortednessStudy& study = source.study();
  const Populations all = trained(study);
  if (all.empty()) return section;
  add(section,
      "Question: which encodings of position carry from short sequences to long ones? Many random "
      "swaps leave traces everywhere and are easy; one swapped adjacent pair leaves one trace. A "
      "pooling that compares neighbours itself answers for the encoding: such recipes are marked.");
  add_widget(section, lengths_widget(source));
  for (const std::string& pooling : poolings_of(study))
    add_figure(section, "figures/extrapolation_" + pooling + ".svg",
               "Accuracy against length with " + pooling + " pooling",
               say("Pooling {}.", source.text(pooled_by(study, pooling).front()->pooling)),
               extrapolation_of_pooling(study, pooling));
  for (const char* kind : {"adjacent", "swaps"})
    for (const SortView& view : views_of(all, kind))
      add_table(section, lengths_table(source, all, view));
  return section;
}

Section kinds_section(const SortSource& source) {
  Section section{.id = "kinds", .title = "By kind of negative", .blocks = {}};
  const SortednessStudy& study = source.study();
  const Populations shown = leading(study);
  if (views_of(shown).empty()) return section;
  add(section,
      "Question: what does a high score mean? It depends on how the unsorted sequences were made: "
      "a model that feels disorder everywhere may be blind to a single descent.");
  add_figure(section, "figures/kinds.svg", "Accuracy against length, a panel per kind",
             "The same models on every kind of negative.", kinds_of_negatives(study));
  add_table(section, kinds_table(source, shown));
  add_table(section, dips_table(source, shown));
  return section;
}

}  // namespace heddle::report
