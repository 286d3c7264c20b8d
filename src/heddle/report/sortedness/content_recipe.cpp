// The recipe, what was learned, and the ingredients: see document.hpp.
#include <algorithm>

#include "heddle/report/sortedness/cells.hpp"
#include "heddle/report/sortedness/figures.hpp"

namespace heddle::report {
namespace {

Text worst_of(const SortSource& source, const SortEstimate* estimate) {
  return estimate == nullptr ? Text("–") : Text(source.percent(estimate->worst));
}

/// The negatives of the headline first, then those that were asked at the same lengths, and swaps.
std::vector<SortView> hardest_first(const SortednessStudy& study, const SortPopulation& recipe) {
  std::vector<SortView> views = views_of({&recipe});
  const auto longest = [&](const SortView& view) {
    const auto lengths = lengths_of({&recipe}, view);
    return lengths.empty() ? 0 : lengths.back();
  };
  const std::int64_t far = longest(main_view({&recipe}, main_kind(study)));
  std::erase_if(views,
                [&](const SortView& view) { return view.kind != "swaps" && longest(view) < far; });
  const std::string main = main_kind(study);
  std::ranges::stable_partition(views, [&](const SortView& view) { return view.kind == main; });
  return views;
}

/// Rows of recipe × kind × length, with sorted and unsorted sequences apart.
Table recipe_table(const SortSource& source, const Populations& recipes) {
  Table table;
  table.caption =
      "The recipe at its longest training length and beyond: what is right of all, of the sorted "
      "and of the unsorted sequences in the median seed and in the worst, and pairs of which both "
      "are.";
  table.columns =
      columns({"recipe", "negatives"}, {"length", "accuracy", "worst", "of the sorted", "worst",
                                        "of the unsorted", "worst", "both twins", "seeds"});
  for (const SortPopulation* recipe : recipes)
    for (const SortView& view : hardest_first(source.study(), *recipe)) {
      for (const std::int64_t length : lengths_of({recipe}, view)) {
        if (length < source.study().train_longest) continue;
        const SortEstimate& at = *find_estimate(*recipe, view, length);
        const auto of = [&](const char* measure) {
          SortView other = view;
          other.measure = measure;
          return find_estimate(*recipe, other, length);
        };
        const auto median = [&](const char* measure) {
          const SortEstimate* found = of(measure);
          return found == nullptr ? Text("–") : Text(source.percent(found->median));
        };
        table.rows.push_back({source.text(recipe->recipe), kind_head(source, {recipe}, view),
                              source.count(at.length), source.percent(at.median),
                              source.percent(at.worst), median("tpr"), worst_of(source, of("tpr")),
                              median("tnr"), worst_of(source, of("tnr")), median("pairs"),
                              source.count(at.seeds)});
      }
    }
  return table;
}

/// The longest length of the reports, and the longest of all.
std::vector<std::int64_t> near_and_far(const Populations& populations, const SortView& view) {
  const auto lengths = lengths_of(populations, view);
  std::vector<std::int64_t> shown;
  if (std::ranges::find(lengths, kCompared) != lengths.end()) shown.push_back(kCompared);
  if (!lengths.empty() && lengths.back() != kCompared) shown.push_back(lengths.back());
  return shown;
}

Table learned_table(const SortSource& source) {
  const SortednessStudy& study = source.study();
  Populations all;
  for (const SortPopulation& population : study.populations) all.push_back(&population);
  SortView view = main_view(all, main_kind(study));
  const std::vector<std::int64_t> lengths = near_and_far(all, view);
  Table table;
  table.caption = say(
      "What a fixed budget of steps mixes up, told apart: how many seeds learned the task at the "
      "training lengths (exact binomial {} interval), and what those that did score on {}.",
      Source::constant("confidence"), kind_head(source, all, view));
  table.columns = columns({"recipe", "group"}, {"learned", "interval"});
  for (const std::int64_t length : lengths)
    table.columns.push_back(
        {.head = say("given learned, at {}", length_head(source, all, length))});
  view.given_learned = true;
  for (const SortPopulation* population : all) {
    std::vector<Text> row{
        source.text(population->recipe), source.text(population->group),
        learned_of(source, *population),
        source.percent_interval(population->learned_low, population->learned_high)};
    for (const std::int64_t length : lengths)
      row.push_back(median_and_interval(source, find_estimate(*population, view, length)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table ingredients_table(const SortSource& source, const Populations& shown) {
  const SortView view = main_view(shown, main_kind(source.study()));
  Table table;
  table.caption = say("Accuracy on {}: the median seed, and the worst in brackets.",
                      kind_head(source, shown, view));
  table.columns = columns({"recipe", "what is different"}, {"learned"});
  auto lengths = lengths_of(shown, view);
  std::erase_if(lengths, [&](auto length) { return length < source.study().train_longest; });
  for (const std::int64_t length : lengths)
    table.columns.push_back({.head = length_head(source, shown, length)});
  for (const SortPopulation* population : shown) {
    std::vector<Text> row{source.text(population->recipe), source.text(population->description),
                          learned_of(source, *population)};
    for (const std::int64_t length : lengths)
      row.push_back(median_and_worst(source, find_estimate(*population, view, length)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Section recipe_section(const SortSource& source) {
  Section section{.id = "recipe", .title = "The recipe", .blocks = {}};
  const Populations recipes = group_of(source.study(), "recipe");
  if (recipes.empty()) return section;
  for (const SortPopulation* recipe : recipes)
    if (!recipe->description.empty())
      add(section, say("{}: {}.", source.text(recipe->recipe), source.text(recipe->description)));
  add(section,
      "Question: how far does it carry, and in how many seeds? Sorted and unsorted sequences are "
      "told apart, because false alarms and missed descents grow with length for different "
      "reasons.");
  add_figure(section, "figures/recipe.svg", "Every seed of the recipe against length",
             "The recipe, seed by seed.", recipe_seeds(source.study()));
  add_table(section, recipe_table(source, recipes));
  return section;
}

Section learned_section(const SortSource& source) {
  Section section{.id = "learned", .title = "Learned in range, and what then", .blocks = {}};
  if (source.study().populations.empty()) return section;
  add(section,
      say("Question: does an encoding fail to extrapolate, or was the task not learned at all? A "
          "seed counts as learned if it reaches {} at the training lengths, {} to {}.",
          source.percent(source.study().learned_bar, 0),
          source.count(source.study().train_shortest), source.count(source.study().train_longest)));
  add_figure(section, "figures/learned.svg", "Share of seeds that learned the task in range",
             "Learned at the training lengths.", learned_in_range(source));
  add_table(section, learned_table(source));
  return section;
}

Section ingredients_section(const SortSource& source) {
  Section section{.id = "ingredients", .title = "What each ingredient does", .blocks = {}};
  const Populations contrasts = group_of(source.study(), "contrast");
  if (contrasts.empty()) return section;
  Populations shown = group_of(source.study(), "recipe");
  shown.insert(shown.end(), contrasts.begin(), contrasts.end());
  add(section,
      "Question: which parts of the recipe does it need? Each variant differs from it in "
      "one thing.");
  add_figure(section, "figures/ingredients.svg", "The recipe beside its variants",
             "The recipe and its variants.", ingredients(source.study()));
  add_table(section, ingredients_table(source, shown));
  return section;
}

}  // namespace heddle::report
