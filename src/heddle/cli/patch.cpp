// heddle patch: which heads and places carry a carry, or what tells a user's inputs apart, by
// swapping them between problems.
#include <algorithm>
#include <cmath>

#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/example_text.hpp"
#include "heddle/lens/addition/carry_patching.hpp"
#include "heddle/lens/open_task.hpp"
#include "heddle/lens/patch/pairs.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"

namespace heddle::cli {
namespace {

constexpr std::int64_t kMostPairs = 1'000'000;
constexpr std::size_t kTopEffects = 6;  // rows of a table, for each column and direction
constexpr std::size_t kTopPairs = 12;

std::string effect_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.3f}", value + 0.0) : "–";
}
std::string between(double low, double high) {
  return fmt::format("{} to {}", effect_text(low), effect_text(high));
}

/// The largest effects of one column and direction.
std::vector<PatchEffect> largest(const std::vector<PatchEffect>& effects, const PatchSwing& swing) {
  std::vector<PatchEffect> found;
  std::ranges::copy_if(effects, std::back_inserter(found), [&](const PatchEffect& effect) {
    return effect.column == swing.column && effect.direction == swing.direction;
  });
  std::ranges::stable_sort(found, [](const PatchEffect& a, const PatchEffect& b) {
    return std::abs(a.effect) > std::abs(b.effect);
  });
  found.resize(std::min(found.size(), kTopEffects));
  return found;
}

std::string effects_text(const std::vector<PatchEffect>& effects) {
  Table table("llrrrr");
  table.add({"place", "at", "effect", "95 %", "control", "95 %"});
  for (const PatchEffect& effect : effects)
    table.add({effect.place, effect.position < 0 ? "everywhere" : effect.token,
               effect_text(effect.effect), between(effect.low, effect.high),
               effect_text(effect.control), between(effect.control_low, effect.control_high)});
  return table.text();
}

std::string swing_text(const Patching& patching, const PatchSwing& swing) {
  std::string text = fmt::format(
      "\nThe carry out of column {} (0 = units) is {}: digit s{}, {} pairs; logit difference {} → "
      "{}, control {}\n",
      swing.column, swing.direction == "on" ? "brought" : "taken away", swing.column + 1,
      format_count(swing.pairs), effect_text(swing.before), effect_text(swing.after),
      effect_text(swing.control));
  for (const auto* list : {&patching.heads, &patching.places, &patching.stream})
    if (!list->empty()) text += effects_text(largest(*list, swing)) + "\n";
  return text;
}

std::string path_text(const Patching& patching) {
  Table table("rlllr");
  table.add({"column", "", "place", "at", "effect"});
  for (const std::string& step : patching.path) table.add(split(step, '|'));
  return patching.path.empty() ? "" : "From column to digit\n" + table.text();
}

/// The largest effects of a list, controls beside them where there are any.
std::string pair_effects_text(std::vector<PlaceEffect> effects, bool controls) {
  std::ranges::stable_sort(effects, [](const PlaceEffect& a, const PlaceEffect& b) {
    return std::abs(a.effect) > std::abs(b.effect);
  });
  effects.resize(std::min(effects.size(), kTopPairs));
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
  return table.text();
}

std::string pairs_text(const PairPatching& patching) {
  std::string text = fmt::format(
      "{} pairs; logit difference of the two right answers {} on a, {} on b{}\n",
      format_count(patching.pairs), effect_text(patching.before), effect_text(patching.after),
      patching.controls ? fmt::format(", {} on the control", effect_text(patching.control)) : "");
  if (!patching.told_apart)
    return text + "The member does not tell a and b apart: there is no difference to share out.\n";
  text += "Effect: share of that difference that a place moves, its value in a taken from b.\n\n";
  for (const auto* list : {&patching.heads, &patching.stream})
    if (!list->empty()) text += pair_effects_text(*list, patching.controls) + "\n";
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
  if (!arguments.json()) {
    console.result(pairs_text(patching));
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
  const auto progress = [&](Index done, Index total) {
    stop_if_interrupted();
    if (console.due())
      console.bar(static_cast<double>(done) / static_cast<double>(total),
                  fmt::format("patching, {} of {} steps", done, total));
  };
  if (from_file) return patch_file(arguments, member, *wanted, progress, console);
  Team team(thread_count(arguments));
  const Patching patching = patch_member(member, options, team, progress);
  console.erase();
  if (arguments.json()) {
    Json json{{"task", "addition"}, {"run", run}, {"defect", member.config.defect_note()}};
    json.update(to_tree(patching));
    console.result(json_line(json));
    return 0;
  }
  std::string text =
      "Effect: share of the logit difference that a place moves, its value taken from a problem\n"
      "with that one carry flipped. Control: from one with the same digits changed, no carry "
      "flipped.\n";
  for (const PatchSwing& swing : patching.swings) text += swing_text(patching, swing);
  console.result(text + path_text(patching));
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
                     "with the columns a,b (and answer_a, answer_b, control)"}},
      .examples = {"patch run", "patch run --pairs 1000 --json", "patch words --pairs pairs.csv"},
      .run = run_patch};
}

}  // namespace heddle::cli
