// See recipes.hpp.
#include "heddle/study/addition/recipes.hpp"

#include <algorithm>

#include "heddle/config/presets.hpp"

namespace heddle {
namespace {

Config reported_config(const Config& tuned, const AdditionScale& scale) {
  Config config = preset("as-reported");
  config.seed = tuned.seed;
  config.task.digits = tuned.task.digits;
  const NormKind norm = config.model.norm;
  config.model = tuned.model;  // the same size
  config.model.norm = norm;
  config.train.steps = scale.reported_steps;
  constexpr std::int64_t kValidations = 10;
  config.train.eval_every = std::max<std::int64_t>(1, config.train.steps / kValidations);
  return config;
}

}  // namespace

std::vector<AdditionPopulation> addition_populations(const Config& tuned,
                                                     const AdditionScale& scale) {
  std::vector<AdditionPopulation> populations{
      {.recipe = AdditionRecipe::tuned,
       .description = "the tuned recipe: pre-norm, streamed problems, carries balanced",
       .config = tuned,
       .seeds = scale.seeds},
      {.recipe = AdditionRecipe::corrected,
       .description = "the reports' recipe (post-norm, no warm-up, 10,000 fixed problems) without "
                      "their defects",
       .config = reported_config(tuned, scale),
       .seeds = scale.corrected},
      {.recipe = AdditionRecipe::reported,
       .description = "the reports' recipe with their defect: no BOS, decoding starts from the "
                      "digit 0",
       .config = reported_config(tuned, scale),
       .seeds = scale.reported},
      {.recipe = AdditionRecipe::reported_zero,
       .description = "the same with report C's second defect: PAD is the digit 0",
       .config = reported_config(tuned, scale),
       .seeds = scale.reported_zero}};
  populations[1].config.task.bos = BosKind::token;
  populations[3].config.task.pad = PadKind::zero;
  return populations;
}

}  // namespace heddle
