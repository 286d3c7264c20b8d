// heddle ablate: what a member loses without each of its heads.
#include "heddle/lens/ablate/ablate.hpp"

#include <algorithm>

#include "heddle/base/decimal.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/example_text.hpp"
#include "heddle/cli/text/keep.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/open_task.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"

namespace heddle::cli {
namespace {

constexpr std::size_t kPairsShown = 10;
constexpr Index kMost = 2000;  // questions that score, and as many that means come from

std::string points(double share) {
  const std::string text = format_points(share, 2);
  return text.starts_with('-') ? text : "+" + text;
}

std::string mode_text(const Ablation& ablation, AblationMode mode) {
  Table table("lrrrrrl");
  table.add({fmt::format("{} ablation", name_of(mode)), "right", "drop", "95 %", "p (Holm)",
             "margin", "band"});
  for (const Effect* effect : ranked(ablation, mode))
    table.add({effect->what, format_count(effect->count.correct), points(effect->drop),
               fmt::format("[{}, {}]", points(effect->low), points(effect->high)),
               fmt::format("{:.2g}", effect->p_holm), fmt::format("{:+.2f}", effect->margin_drop),
               std::string(name_of(effect->band))});
  return table.text();
}

std::string pair_effects_text(std::vector<PairEffect> pairs) {
  std::ranges::stable_sort(pairs, std::greater{}, &PairEffect::excess);
  Table table("llrrr");
  table.add({"pair", "", "drop", "95 %", "beyond the sum"});
  for (std::size_t i = 0; i < std::min(kPairsShown, pairs.size()); ++i)
    table.add({pairs[i].a, pairs[i].b, points(pairs[i].drop),
               fmt::format("[{}, {}]", points(pairs[i].low), points(pairs[i].high)),
               points(pairs[i].excess)});
  return table.text();
}

std::string ablation_text(const Ablation& ablation, const AblationOptions& options) {
  std::string text = fmt::format("intact: {}\n", of_total(ablation.baseline));
  for (const AblationMode mode : options.modes) text += mode_text(ablation, mode);
  if (!ablation.pairs.empty()) text += pair_effects_text(ablation.pairs);
  return text +
         "drops in points of exact match; margin in logits; bands: critical above 10 points, "
         "important above 1\n";
}

AblationOptions ablation_options(const Arguments& arguments) {
  AblationOptions options;
  if (const auto mode = arguments.value("--mode"))
    options.modes = {parse_kind<AblationMode>("--mode", *mode)};
  options.pairs = arguments.has("--pairs");
  return options;
}

int run_ablate(const Arguments& arguments, Console& console) {
  const AblationOptions options = ablation_options(arguments);
  const std::string& run = run_folder(arguments);
  const Member member = load_member(run);
  label_defect(member.config, console);
  const auto task = open_task(run, member.config, false, reading_progress(console));
  const auto facets = task->facets();
  const AblationSets sets{.scored = some_of(task->test(), 0, kMost),
                          .reference = some_of(task->validation(), 0, kMost),
                          .facets = facets.get()};
  Team team(thread_count(arguments));
  const Ablation ablation = ablate(member, sets, options, team, [&](Index done, Index total) {
    stop_if_interrupted();
    if (console.due())
      console.bar(static_cast<double>(done) / static_cast<double>(total), "ablating");
  });
  console.erase();
  keep_beside(run, kKeptAblation, ablation, console);
  if (!arguments.json()) {
    console.result(ablation_text(ablation, options));
    return 0;
  }
  Json json{{"task", field_text(member.config.task.name)},
            {"run", run},
            {"defect", member.config.defect_note()}};
  json.update(to_tree(ablation));
  console.result(json_line(json));
  return 0;
}

}  // namespace

Command ablate_command() {
  return {.name = "ablate",
          .summary = "Takes every head out, one by one or in pairs, and says what is lost.",
          .positionals = {{.name = "RUN", .help = "the folder that train wrote"}},
          .flags = {{.name = "--mode",
                     .value = "M",
                     .help = "what stands in for a head: zero, mean (over other problems) or "
                             "resample (its output on them); all three if not given"},
                    {.name = "--pairs", .value = "", .help = "also all pairs of heads"}},
          .examples = {"ablate run", "ablate run --mode mean --pairs --json"},
          .run = run_ablate};
}

}  // namespace heddle::cli
