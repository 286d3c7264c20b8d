// See recipes.hpp.
#include "heddle/study/sortedness/recipes.hpp"

#include <algorithm>
#include <array>

#include "heddle/base/index.hpp"
#include "heddle/config/presets.hpp"
#include "heddle/model/classifier/hand_built.hpp"

namespace heddle {
namespace {

constexpr std::int64_t kValidations = 10;

Config sized(Config config, const SortednessScale& scale, std::int64_t steps) {
  constexpr std::int64_t kWiden = 4;
  config.model.d_model = scale.d_model;
  config.model.d_ff = kWiden * scale.d_model;
  config.model.layers = scale.layers;
  config.train.steps = steps;
  config.train.warmup = std::min(config.train.warmup, steps / kValidations);
  config.train.eval_every = std::max<std::int64_t>(1, steps / kValidations);
  return config;
}

/// The reports' data and encodings with a training that works: pre-norm, warm-up, exact balance.
SortednessRecipe required_cell(const Config& tuned, const SortednessScale& scale,
                               PositionKind position, PoolingSetting pooling) {
  SortednessRecipe recipe;
  recipe.name = required_recipe(position, pooling);
  recipe.description = fmt::format(
      "{} positions, {} pooling, the reports' negatives (swaps) and uniform values, trained "
      "soundly",
      field_text(position), field_text(pooling));
  recipe.config = sized(tuned, scale, scale.required_steps);
  recipe.config.model.layers = scale.required_layers;
  recipe.config.task.values = ValueKind::uniform;
  recipe.config.task.kinds = "swaps";
  recipe.config.model.position = position;
  recipe.config.model.position_past_end = PastEndKind::clamp;
  recipe.config.model.direction = DirectionKind::both;
  recipe.config.model.pooling = pooling;
  recipe.seeds = scale.required;
  return recipe;
}

/// The recipe with one ingredient changed.
template <class Change>
SortednessRecipe contrast(const Config& tuned, const SortednessScale& scale,
                          const std::string& name, const std::string& what, Change change) {
  SortednessRecipe recipe{.name = contrast_recipe(name),
                          .group = SortednessGroup::contrast,
                          .description = "the recipe, but " + what,
                          .config = sized(tuned, scale, scale.steps),
                          .seeds = scale.contrasts};
  change(recipe.config);
  return recipe;
}

std::vector<SortednessRecipe> contrasts(const Config& tuned, const SortednessScale& scale) {
  const auto with = [&](const std::string& name, const std::string& what, auto change) {
    return contrast(tuned, scale, name, what, change);
  };
  std::vector<SortednessRecipe> all{
      with("uniform", "values drawn from all of 0–99: the tie shift",
           [](Config& c) { c.task.values = ValueKind::uniform; }),
      with("both", "heads that look both ways: no direction",
           [](Config& c) { c.model.direction = DirectionKind::both; }),
      with("mean", "mean pooling: dilution",
           [](Config& c) { c.model.pooling = PoolingSetting::mean; }),
      with("max", "the largest of each feature: evidence of different tokens adds up",
           [](Config& c) { c.model.pooling = PoolingSetting::max; }),
      with("noisy-or", "noisy-or pooling of token verdicts: small doubts add up",
           [](Config& c) { c.model.pooling = PoolingSetting::noisy_or; }),
      with("multi", "report D's pooling, which reads order itself",
           [](Config& c) { c.model.pooling = PoolingSetting::multi; }),
      with("swaps", "the reports' easy negatives only", [](Config& c) { c.task.kinds = "swaps"; }),
      with("log-n", "scores scaled by ln n",
           [](Config& c) { c.model.normaliser = NormaliserKind::log_n; }),
      with("causal", "no encoding but a causal mask and a BOS",
           [](Config& c) {
             c.model.position = PositionKind::causal;
             c.model.direction = DirectionKind::both;
           }),
      with("sinusoidal", "sinusoidal positions that look both ways", [](Config& c) {
        c.model.position = PositionKind::sinusoidal;
        c.model.direction = DirectionKind::both;
      })};
  all.resize(std::min(all.size(), to_size(scale.variants)));
  for (SortednessRecipe& recipe : all)  // poolings that differ from the recipe's only far out
    if (recipe.name == contrast_recipe(field_text(PoolingSetting::max)) ||
        recipe.name == contrast_recipe(field_text(PoolingSetting::noisy_or)))
      recipe.longest = scale.longest;
  return all;
}

/// Every further encoding in the recipe's place.
std::vector<SortednessRecipe> others(const Config& tuned, const SortednessScale& scale) {
  constexpr std::array kOthers{PositionKind::learned,    PositionKind::none,
                               PositionKind::rope,       PositionKind::t5,
                               PositionKind::shaw,       PositionKind::kerple,
                               PositionKind::fire,       PositionKind::random_offset,
                               PositionKind::randomised, PositionKind::normalised};
  std::vector<SortednessRecipe> recipes;
  for (const PositionKind position : kOthers) {
    SortednessRecipe recipe =
        contrast(tuned, scale, field_text(position), field_text(position) + " positions",
                 [&](Config& config) { config.model.position = position; });
    recipe.group = SortednessGroup::other;
    recipe.seeds = scale.others;
    recipes.push_back(std::move(recipe));
  }
  return recipes;
}

SortednessRecipe reported(const Config& tuned, const SortednessScale& scale, PositionKind position,
                          const std::string& name) {
  constexpr std::int64_t kWiden = 4;
  SortednessRecipe recipe{.name = name,
                          .group = SortednessGroup::reports,
                          .description = {},
                          .config = preset_of_task("as-reported", "sortedness"),
                          .seeds = scale.reported};
  recipe.config.seed = tuned.seed;
  recipe.config.model.position = position;
  recipe.config.model.d_model = scale.reported_d_model;
  recipe.config.model.d_ff = kWiden * scale.reported_d_model;
  recipe.config.train.steps = scale.reported_steps;
  recipe.config.train.eval_every = std::max<std::int64_t>(1, scale.reported_steps / kValidations);
  return recipe;
}

std::vector<SortednessRecipe> reports(const Config& tuned, const SortednessScale& scale) {
  std::vector<SortednessRecipe> recipes;
  for (const PositionKind position :
       {PositionKind::sinusoidal, PositionKind::learned, PositionKind::none}) {
    recipes.push_back(reported(tuned, scale, position, reported_recipe(position)));
    recipes.back().description = fmt::format(
        "reports A and C: {} positions, four post-norm layers, Adam at 1e-3 without warm-up",
        field_text(position));
  }
  constexpr double kLowRate = 1e-4;  // at which post-norm leaves the plateau
  constexpr double kFaint = 0.068;   // √(2/(300 + 128)): Xavier on a table of 300 rows
  for (const PositionKind position : {PositionKind::sinusoidal, PositionKind::learned}) {
    SortednessRecipe recipe = reported(tuned, scale, position, report_d_recipe(position));
    recipe.description = fmt::format(
        "report D: {} positions{}, the same at a lower rate", field_text(position),
        position == PositionKind::learned ? " whose table starts fifteen times too faint" : "");
    recipe.config.train.lr = kLowRate;
    recipe.config.model.position_deviation = kFaint;
    recipes.push_back(std::move(recipe));
  }
  return recipes;
}

}  // namespace

std::string tuned_recipe() {
  return "recipe";
}
std::string contrast_recipe(std::string_view changed) {
  return fmt::format("{}-{}", tuned_recipe(), changed);
}
std::string required_recipe(PositionKind position, PoolingSetting pooling) {
  return fmt::format("{}-{}", field_text(position), field_text(pooling));
}
std::string reported_recipe(PositionKind position) {
  return "reported-" + field_text(position);
}
std::string report_d_recipe(PositionKind position) {
  return "reported-d-" + field_text(position);
}

std::vector<SortednessRecipe> sortedness_recipes(const Config& tuned,
                                                 const SortednessScale& scale) {
  std::vector<SortednessRecipe> recipes;
  recipes.push_back({.name = tuned_recipe(),
                     .group = SortednessGroup::recipe,
                     .description =
                         "the recipe: directional ALiBi, the worst token's verdict, windowed "
                         "values, hard negatives in the mix",
                     .config = sized(tuned, scale, scale.steps),
                     .seeds = scale.seeds,
                     .longest = scale.longest});
  for (const PositionKind position :
       {PositionKind::sinusoidal, PositionKind::learned, PositionKind::none})
    for (const PoolingSetting pooling : {PoolingSetting::mean, PoolingSetting::multi})
      if (scale.required > 0) recipes.push_back(required_cell(tuned, scale, position, pooling));
  for (auto* make : {&contrasts, &others, &reports})
    for (SortednessRecipe& recipe : make(tuned, scale))
      if (recipe.seeds > 0) recipes.push_back(std::move(recipe));
  recipes.push_back({.name = field_text(SortednessGroup::hand_built),
                     .group = SortednessGroup::hand_built,
                     .description = "two causal layers of one head with weights written by hand",
                     .config = hand_built_config(),
                     .seeds = 1,
                     .longest = scale.longest});
  return recipes;
}

}  // namespace heddle
