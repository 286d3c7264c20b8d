// heddle prune: a physically smaller member.
#include "heddle/lens/prune/prune.hpp"

#include <algorithm>
#include <array>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/base/version.hpp"
#include "heddle/bench/forward.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/example_text.hpp"
#include "heddle/cli/text/keep.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/heads.hpp"
#include "heddle/lens/open_task.hpp"
#include "heddle/model/save_member.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"

namespace heddle::cli {
namespace {

constexpr Index kScore = 2000;  // of the test's questions, at most

/// What no training saw: one half of validation chooses, means come from the other, the test
/// scores.
PruneSets held_out_sets(const Task& task) {
  const Index half = task.validation().size() / 2;
  return {.choose = some_of(task.validation(), 0, half),
          .score = some_of(task.test(), 0, kScore),
          .reference = some_of(task.validation(), half, half)};
}

/// --keep or --max-drop, and --by.
HeadRemovalOptions removal_options(const Arguments& arguments, const Member& member) {
  check<UsageError>(arguments.has("--keep") != arguments.has("--max-drop"),
                    "prune needs one of --keep N and --max-drop X");
  HeadRemovalOptions options;
  if (const auto by = arguments.value("--by")) options.by = parse_kind<PruneOrder>("--by", *by);
  const auto heads = static_cast<std::int64_t>(heads_of(member).size());
  options.keep = arguments.number("--keep", 0, heads).value_or(0);
  if (const auto text = arguments.value("--max-drop")) {
    const auto drop = parse_double(*text);
    check<UsageError>(drop && *drop >= 0 && *drop <= 1,
                      "--max-drop {}: accepted is a share of the answers from 0 to 1, such as 0.01",
                      quote(*text));
    options.max_drop = *drop;
  }
  return options;
}

/// The settings of RUN2 as far as they are known before the heads are.
Config early_config(const std::string& out, Config config) {
  check<UsageError>(!out.empty(), "--out is empty: give a folder for the smaller model");
  if (file_exists(out + "/config.json")) config.model.cut_heads = load_config(out).model.cut_heads;
  return config;
}

Metadata about(const Member& from, const Config& config) {
  Metadata metadata = from.metadata;
  metadata["heddle.version"] = kVersion;
  metadata["heddle.isa"] = kernels::isa();
  metadata[kSettingsHash] = config_hash(config);
  metadata[kCutFrom] = config_hash(from.config);
  return metadata;
}

PruneProgress prune_progress(Console& console) {
  return [&console](Index done, Index total) {
    stop_if_interrupted();
    if (console.due())
      console.bar(static_cast<double>(done) / static_cast<double>(std::max<Index>(total, 1)),
                  fmt::format("{} of at most {} heads removed", done, total));
  };
}

/// One side of the comparison.
struct Side {
  Index heads = 0, parameters = 0;
  Count count;
  double samples_per_s = 0;
};

Json json_of(const Side& side) {
  return {{"parameters", side.parameters},
          {"correct", side.count.correct},
          {"total", side.count.total},
          {"samples_per_s", side.samples_per_s}};
}

std::string text_of(const Side& before, const Side& after, const PruneCurve& curve) {
  std::string text;
  Table way("rlrr");
  way.add({"heads", "cut", "chosen on validation", "scored on test"});
  for (const PrunePoint& point : curve.points)
    way.add({std::to_string(point.heads_left), point.cut.empty() ? "–" : point.cut,
             of_total(point.chosen_on), of_total(point.scored)});
  text += way.text() + "\n";
  Table table("lrrrr");
  table.add({"", "heads", "parameters", "right on test", "problems/s"});
  for (const auto& [name, side] : {std::pair("before", &before), std::pair("after", &after)})
    table.add({name, std::to_string(side->heads), format_count(side->parameters),
               of_total(side->count),
               format_count(static_cast<std::int64_t>(side->samples_per_s))});
  return text + table.text();
}

Side side_of(const Member& member, const PrunePoint& point, double speed) {
  return {.heads = static_cast<Index>(heads_of(member).size()),
          .parameters = member.model->layout().parameter_count(),
          .count = point.scored,
          .samples_per_s = speed};
}

/// What the report tells of it.
RunPruning kept_pruning(const Arguments& arguments, const PruneCurve& curve,
                        const HeadRemovalOptions& options,
                        const std::array<const Member*, 2>& members) {
  RunPruning kept;
  kept.curve = curve;
  if (arguments.has("--max-drop")) kept.max_drop = options.max_drop;
  if (arguments.has("--keep")) kept.keep = options.keep;
  kept.models = {smaller_model("intact", *members[0], curve.points.front().scored),
                 smaller_model("pruned", *members[1], curve.points.back().scored)};
  return kept;
}

int run_prune(const Arguments& arguments, Console& console) {
  const std::string& run = run_folder(arguments);
  const std::string& out = arguments.required("--out");
  const Member member = load_member(run);
  const HeadRemovalOptions options = removal_options(arguments, member);
  NewRun place(out, early_config(out, member.config));
  label_defect(member.config, console);
  const auto task = open_task(run, member.config, false, reading_progress(console));
  console.erase();
  const PruneSets sets = held_out_sets(*task);
  Team team(thread_count(arguments));
  const HeadRemoval removal = remove_heads(member, sets, options, team, prune_progress(console));
  const Member smaller = cut_heads(member, removal.cuts);
  const std::array<const Member*, 2> both{&member, &smaller};
  const EncodedQuestions scored = encoded(member, sets.score);
  const std::vector<double> speeds =
      forward_speeds(both, {.set = scored, .between = [] { stop_if_interrupted(); }}, team);
  KeptOrigin origin = origin_of(member, *task);
  const RunPruning kept = kept_pruning(arguments, removal.curve, options, both);
  const std::string weights =
      place.save(smaller.config, smaller.weights, about(member, smaller.config), task->files());
  keep_beside(run, origin, kKeptPruning, kept, console);
  origin.weights = weights;
  origin.settings = config_hash(smaller.config);
  keep_beside(out, origin, kKeptPruning, kept, console);
  console.erase();
  const Side before = side_of(member, removal.curve.points.front(), speeds[0]);
  const Side after = side_of(smaller, removal.curve.points.back(), speeds[1]);
  if (!arguments.json()) {
    console.result(text_of(before, after, removal.curve));
    console.result(fmt::format("  in {}\n", out));
    return 0;
  }
  Json cut = Json::array();
  for (std::size_t i = 1; i < removal.curve.points.size(); ++i)
    cut.push_back(removal.curve.points[i].cut);
  console.result(json_line({{"run", run},
                            {"out", out},
                            {"by", name_of(removal.curve.by)},
                            {"chosen_on", "validation"},
                            {"scored_on", "test"},
                            {"heads_left", after.heads},
                            {"heads_cut", cut},
                            {"before", json_of(before)},
                            {"after", json_of(after)},
                            {"curve", to_tree(removal.curve)},
                            {"defect", member.config.defect_note()}}));
  return 0;
}

}  // namespace

Command prune_command() {
  return {.name = "prune",
          .summary = "Cuts heads out of a member and writes the smaller model.",
          .positionals = {{.name = "RUN", .help = "the folder that train wrote"}},
          .flags = {{.name = "--keep", .value = "N", .help = "cut until N heads are left"},
                    {.name = "--max-drop",
                     .value = "X",
                     .help = "cut as long as at most this share of answers is lost (0.01: one in a "
                             "hundred)"},
                    {.name = "--by",
                     .value = "ORDER",
                     .help = "which head goes next: measured (the one that is missed least), "
                             "gradient or random"},
                    {.name = "--out",
                     .value = "RUN2",
                     .help = "the folder for the smaller model",
                     .required = true}},
          .examples = {"prune run --max-drop 0 --out pruned",
                       "prune run --keep 12 --by gradient --out twelve"},
          .run = run_prune};
}

}  // namespace heddle::cli
