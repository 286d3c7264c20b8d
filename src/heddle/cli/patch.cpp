// heddle patch: which heads and places carry a carry, by swapping them between problems.
#include "heddle/lens/patch.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"

namespace heddle::cli {
namespace {

constexpr std::int64_t kMostPairs = 1'000'000;
constexpr std::size_t kTop = 6;  // rows of a table, for each column and direction

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.3f}", value + 0.0) : "–";
}
std::string between(double low, double high) {
  return fmt::format("{} to {}", number(low), number(high));
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
  found.resize(std::min(found.size(), kTop));
  return found;
}

std::string effects_text(const std::vector<PatchEffect>& effects) {
  Table table("llrrrr");
  table.add({"place", "at", "effect", "95 %", "control", "95 %"});
  for (const PatchEffect& effect : effects)
    table.add({effect.place, effect.position < 0 ? "everywhere" : effect.token,
               number(effect.effect), between(effect.low, effect.high), number(effect.control),
               between(effect.control_low, effect.control_high)});
  return table.text();
}

std::string swing_text(const Patching& patching, const PatchSwing& swing) {
  std::string text = fmt::format(
      "\nThe carry out of column {} (0 = units) is {}: digit s{}, {} pairs; logit difference {} → "
      "{}, control {}\n",
      swing.column, swing.direction == "on" ? "brought" : "taken away", swing.column + 1,
      format_count(swing.pairs), number(swing.before), number(swing.after), number(swing.control));
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

int run_patch(const Arguments& arguments, Console& console) {
  const std::string& run = run_folder(arguments);
  PatchOptions options;
  options.pairs = arguments.number("--pairs", 2, kMostPairs).value_or(options.pairs);
  const Member member = load_member(run);
  label_defect(member.config, console);
  Team team(thread_count(arguments));
  const Patching patching = patch_member(member, options, team, [&](Index done, Index total) {
    stop_if_interrupted();
    if (console.due())
      console.bar(static_cast<double>(done) / static_cast<double>(total),
                  fmt::format("patching, {} of {} steps", done, total));
  });
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
      .summary = "Swaps activations between problems one carry apart: who carries the carry.",
      .positionals = {{.name = "RUN", .help = "the folder that train wrote"}},
      .flags = {{.name = "--pairs", .value = "N", .help = "pairs per column; 125 if not given"}},
      .examples = {"patch run", "patch run --pairs 1000 --json"},
      .run = run_patch};
}

}  // namespace heddle::cli
