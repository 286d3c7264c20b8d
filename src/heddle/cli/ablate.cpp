// heddle ablate: what a member loses without each of its heads.
#include "heddle/lens/ablate/ablate.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include "heddle/base/decimal.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/example_text.hpp"
#include "heddle/cli/text/keep.hpp"
#include "heddle/cli/text/progress_view.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/open_task.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/report/document/number.hpp"

namespace heddle::cli {
namespace {

constexpr Index kMost = 2000;  // questions that score, and as many that means come from

std::string signed_text(const std::string& text) {
  return text.starts_with('-') ? text : "+" + text;
}

std::string points(double share) {
  return signed_text(format_points(share, 2));
}

std::string mode_text(const Ablation& ablation, AblationMode mode, bool all) {
  Table table("lrrrrrl");
  table.add({fmt::format("{} ablation", name_of(mode)), "right", "drop", "95 %", "p (Holm)",
             "margin", "band"});
  const auto effects = ranked(ablation, mode);
  const std::size_t shown = all ? effects.size() : std::min(kFirstRows, effects.size());
  for (const Effect* effect : std::span(effects).first(shown))
    table.add({effect->what, format_count(effect->count.correct), points(effect->drop),
               fmt::format("[{}, {}]", points(effect->low), points(effect->high)),
               report::p_value(effect->p_holm), signed_text(format_fixed(effect->margin_drop, 2)),
               std::string(name_of(effect->band))});
  return table.text() + rest_text(effects.size() - shown);
}

std::string pair_effects_text(std::vector<PairEffect> pairs, bool all) {
  std::ranges::stable_sort(pairs, std::greater{}, &PairEffect::excess);
  Table table("llrrr");
  table.add({"pair", "", "drop", "95 %", "beyond the sum"});
  const std::size_t shown = all ? pairs.size() : std::min(kFirstRows, pairs.size());
  for (std::size_t i = 0; i < shown; ++i)
    table.add({pairs[i].a, pairs[i].b, points(pairs[i].drop),
               fmt::format("[{}, {}]", points(pairs[i].low), points(pairs[i].high)),
               points(pairs[i].excess)});
  return table.text() + rest_text(pairs.size() - shown);
}

std::string ablation_text(const Ablation& ablation, const AblationOptions& options, bool all) {
  std::string text = fmt::format("intact: {}\n", of_total(ablation.baseline));
  for (const AblationMode mode : options.modes) text += mode_text(ablation, mode, all);
  if (!ablation.pairs.empty()) text += pair_effects_text(ablation.pairs, all);
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
  ProgressView progress(console, "ablating", "passes");
  const Ablation ablation = ablate(member, sets, options, team, std::ref(progress));
  console.erase();
  keep_beside(run, origin_of(member, *task), kKeptAblation, ablation, console);
  if (!arguments.json()) {
    console.result(ablation_text(ablation, options, arguments.has("--all")));
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
                    {.name = "--pairs", .value = "", .help = "also all pairs of heads"},
                    kAllFlag},
          .examples = {"ablate run", "ablate run --mode mean --pairs --json"},
          .run = run_ablate};
}

}  // namespace heddle::cli
