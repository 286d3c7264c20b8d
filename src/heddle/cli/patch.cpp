// heddle patch: which heads and places carry a carry, or what tells a user's inputs apart, by
// swapping them between problems.
#include <algorithm>
#include <cmath>
#include <functional>

#include "heddle/base/decimal.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/example_text.hpp"
#include "heddle/cli/text/keep.hpp"
#include "heddle/cli/text/progress_view.hpp"
#include "heddle/lens/addition/carry_patching.hpp"
#include "heddle/lens/open_task.hpp"
#include "heddle/lens/patch/pairs.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"

namespace heddle::cli {
namespace {

constexpr std::int64_t kMostPairs = 1'000'000;

std::string effect_text(double value) {
  return format_fixed(value, 3);
}
std::string between(double low, double high) {
  return fmt::format("{} to {}", effect_text(low), effect_text(high));
}

/// Largest first, whichever way it goes; what is no number last.
template <class Effect>
void sort_by_size(std::vector<Effect>& effects) {
  std::ranges::stable_sort(effects, std::greater{}, [](const Effect& effect) {
    return std::isfinite(effect.effect) ? std::abs(effect.effect) : -1;
  });
}

/// The effects of one column and direction.
std::vector<PatchEffect> effects_of(const std::vector<PatchEffect>& effects,
                                    const PatchSwing& swing) {
  std::vector<PatchEffect> found;
  std::ranges::copy_if(effects, std::back_inserter(found), [&](const PatchEffect& effect) {
    return effect.column == swing.column && effect.direction == swing.direction;
  });
  sort_by_size(found);
  return found;
}

std::string_view what_happens(const std::string& direction) {
  return direction == "on" ? "brought" : "taken away";
}

std::vector<std::string> effect_cells(const PatchEffect& effect) {
  return {effect_text(effect.effect), between(effect.low, effect.high), effect_text(effect.control),
          between(effect.control_low, effect.control_high)};
}

std::string effects_text(const std::vector<PatchEffect>& effects) {
  Table table("llrrrr");
  table.add({"place", "at", "effect", "95 %", "control", "95 %"});
  for (const PatchEffect& effect : effects) {
    std::vector<std::string> row{effect.place, effect.position < 0 ? "everywhere" : effect.token};
    std::ranges::copy(effect_cells(effect), std::back_inserter(row));
    table.add(std::move(row));
  }
  return table.text();
}

std::string swing_text(const Patching& patching, const PatchSwing& swing) {
  std::string text = fmt::format(
      "\nThe carry out of column {} (0 = units) is {}: digit s{}, {} pairs; logit difference {} → "
      "{}, control {}\n",
      swing.column, what_happens(swing.direction), swing.column + 1, format_count(swing.pairs),
      effect_text(swing.before), effect_text(swing.after), effect_text(swing.control));
  for (const auto* list : {&patching.heads, &patching.places, &patching.stream})
    if (!list->empty()) text += effects_text(effects_of(*list, swing)) + "\n";
  return text;
}

/// The heads that move most, whatever the column and the direction; what is left out counts every
/// effect that was measured.
std::string first_heads_text(const Patching& patching) {
  std::vector<PatchEffect> heads = patching.heads;
  sort_by_size(heads);
  const std::size_t all = heads.size() + patching.places.size() + patching.stream.size();
  heads.resize(std::min(heads.size(), kFirstRows));
  Table table("llrrrrr");
  table.add({"head", "carry", "column", "effect", "95 %", "control", "95 %"});
  for (const PatchEffect& effect : heads) {
    std::vector<std::string> row{effect.place, std::string(what_happens(effect.direction)),
                                 std::to_string(effect.column)};
    std::ranges::copy(effect_cells(effect), std::back_inserter(row));
    table.add(std::move(row));
  }
  return "\nThe heads that move most, at all positions at once (column 0 = units)\n" +
         table.text() + rest_text(all - heads.size()) + "\n";
}

std::string path_text(const Patching& patching) {
  Table table("rlllr");
  table.add({"column", "", "place", "at", "effect"});
  for (const std::string& step : patching.path) table.add(split(step, '|'));
  return patching.path.empty()
             ? ""
             : "From column to digit: what each place moves at that token alone, the mean of carry "
               "brought and carry\ntaken away (a head stands where it moves most)\n" +
                   table.text();
}

std::string patching_text(const Patching& patching, bool all) {
  std::string text =
      "Effect: share of the logit difference that a place moves, its value taken from a problem\n"
      "with that one carry flipped. Control: from one with the same digits changed, no carry "
      "flipped.\n";
  if (!all) text += first_heads_text(patching);
  if (all)
    for (const PatchSwing& swing : patching.swings) text += swing_text(patching, swing);
  return text + path_text(patching);
}

/// The effects of a list, largest first, controls beside them where there are any.
std::string pair_effects_text(std::vector<PlaceEffect> effects, bool controls, bool all) {
  sort_by_size(effects);
  const std::size_t count = effects.size();
  if (!all) effects.resize(std::min(count, kFirstRows));
  Table table("llrrrr");
  std::vector<std::string> heading{"place", "at", "effect", "95 %"};
  if (controls) heading.insert(heading.end(), {"control", "95 %"});
  table.add(heading);
  for (const PlaceEffect& effect : effects) {
    const std::string at = effect.position < 0 ? "everywhere"
                           : effect.token.empty()
                               ? std::to_string(effect.position)
                               : fmt::format("{} {}", effect.position, effect.token);
    std::vector<std::string> row{effect.place, at, effect_text(effect.effect),
                                 between(effect.low, effect.high)};
    if (controls)
      row.insert(row.end(),
                 {effect_text(effect.control), between(effect.control_low, effect.control_high)});
    table.add(std::move(row));
  }
  return table.text() + rest_text(count - effects.size());
}

std::string pairs_text(const PairPatching& patching, bool all) {
  std::string text = fmt::format(
      "{} pairs; logit difference of the two right answers {} on a, {} on b{}\n",
      format_count(patching.pairs), effect_text(patching.before), effect_text(patching.after),
      patching.controls ? fmt::format(", {} on the control", effect_text(patching.control)) : "");
  if (!patching.told_apart)
    return text + "The member does not tell a and b apart: there is no difference to share out.\n";
  text += "Effect: share of that difference that a place moves, its value in a taken from b.\n\n";
  for (const auto* list : {&patching.heads, &patching.stream})
    if (!list->empty()) text += pair_effects_text(*list, patching.controls, all) + "\n";
  return text;
}

template <class Progress>
int patch_file(const Arguments& arguments, const Member& member, const std::string& path,
               const Progress& progress, Console& console) {
  const std::string& run = run_folder(arguments);
  const InputPairs pairs = read_pairs(path);
  const auto task = open_task(run, member.config, true, reading_progress(console));
  Team team(thread_count(arguments));
  const PairPatching patching = patch_pairs(member, *task, pairs, team, progress);
  console.erase();
  keep_beside(run, origin_of(member), kKeptPairs, patching, console);
  if (!arguments.json()) {
    console.result(pairs_text(patching, arguments.has("--all")));
    return 0;
  }
  Json json{{"task", field_text(member.config.task.name)},
            {"run", run},
            {"defect", member.config.defect_note()}};
  json.update(to_tree(patching));
  console.result(json_line(json));
  return 0;
}

int run_patch(const Arguments& arguments, Console& console) {
  const std::string& run = run_folder(arguments);
  const auto wanted = arguments.value("--pairs");
  const bool from_file = wanted && !parse_int(*wanted);
  PatchOptions options;
  if (!from_file)
    options.pairs = arguments.number("--pairs", 2, kMostPairs).value_or(options.pairs);
  const Member member = load_member(run);
  if (!from_file && !member.model->shape().counts_digits())
    throw UsageError(fmt::format(
        "patch needs --pairs FILE for {}: CSV with the columns a,b (and answer_a, answer_b, "
        "control), a line such as '{}'",
        field_text(member.config.task.name),
        open_task(run, member.config, true)->traits().example_pair));
  label_defect(member.config, console);
  ProgressView view(console, "patching", "steps");
  const auto progress = std::ref(view);
  if (from_file) return patch_file(arguments, member, *wanted, progress, console);
  Team team(thread_count(arguments));
  const Patching patching = patch_member(member, options, team, progress);
  console.erase();
  keep_beside(run, origin_of(member), kKeptPatching, patching, console);
  if (arguments.json()) {
    Json json{{"task", "addition"}, {"run", run}, {"defect", member.config.defect_note()}};
    json.update(to_tree(patching));
    console.result(json_line(json));
    return 0;
  }
  console.result(patching_text(patching, arguments.has("--all")));
  return 0;
}
}  // namespace

Command patch_command() {
  return {
      .name = "patch",
      .summary = "Swaps activations between problems one carry apart, or between inputs of yours.",
      .positionals = {{.name = "RUN", .help = "the folder that train wrote"}},
      .flags = {{.name = "--pairs",
                 .value = "N|FILE",
                 .help =
                     "addition: pairs per column, 125 if not given; any task: a CSV of your own "
                     "with the columns a,b (and answer_a, answer_b, control)"},
                kAllFlag},
      .examples = {"patch run", "patch run --all", "patch run --pairs 1000 --json",
                   "patch words --pairs pairs.csv"},
      .run = run_patch};
}

}  // namespace heddle::cli
