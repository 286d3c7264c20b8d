// See recipes.hpp.
#include "heddle/study/addition/recipes.hpp"

#include <algorithm>

#include "heddle/config/presets.hpp"

namespace heddle {
namespace {

Config reported(const Config& tuned, const StudyScale& scale) {
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

std::vector<Recipe> study_recipes(const Config& tuned, const StudyScale& scale) {
  std::vector<Recipe> recipes{
      {.name = "tuned",
       .description = "the tuned recipe: pre-norm, streamed problems, carries balanced",
       .config = tuned,
       .seeds = scale.seeds},
      {.name = "corrected",
       .description = "the reports' recipe (post-norm, no warm-up, 10,000 fixed problems) without "
                      "their defects",
       .config = reported(tuned, scale),
       .seeds = scale.corrected},
      {.name = "reported",
       .description = "the reports' recipe with their defect: no BOS, decoding starts from the "
                      "digit 0",
       .config = reported(tuned, scale),
       .seeds = scale.reported},
      {.name = "reported-zero",
       .description = "the same with report C's second defect: PAD is the digit 0",
       .config = reported(tuned, scale),
       .seeds = scale.reported_zero}};
  recipes[1].config.task.bos = BosKind::token;
  recipes[3].config.task.pad = PadKind::zero;
  return recipes;
}

}  // namespace heddle
