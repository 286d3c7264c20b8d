// heddle eval: scores of a member, teacher-forced and greedy side by side.
#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/keep.hpp"
#include "heddle/cli/text/example_text.hpp"
#include "heddle/cli/text/score_text.hpp"
#include "heddle/cli/text/sortedness_text.hpp"
#include "heddle/config/sequences.hpp"
#include "heddle/eval/addition.hpp"
#include "heddle/eval/run_score.hpp"
#include "heddle/eval/sortedness.hpp"
#include "heddle/model/member.hpp"
#include "heddle/record/json.hpp"
#include "heddle/task/addition/addition.hpp"
#include "heddle/tensor/safetensors.hpp"
#include "heddle/train/watchdogs.hpp"

namespace heddle::cli {
namespace {

/// The step whose weights the checkpoint holds; 0 if it does not say.
std::int64_t step_of(const std::string& run) {
  const Metadata metadata = read_safetensors(run + "/model.safetensors").metadata;
  const auto found = metadata.find("heddle.step");
  return found == metadata.end() ? 0 : parse_int(found->second).value_or(0);
}

std::function<void(Index, Index)> scoring_progress(Console& console) {
  return [&console](Index done, Index total) {
    stop_if_interrupted();
    if (console.due())
      console.bar(static_cast<double>(done) / static_cast<double>(total),
                  fmt::format("{} of {} problems", format_count(done), format_count(total)));
  };
}

void refuse_sortedness(const Arguments& arguments, const Config& config) {
  for (const std::string_view flag : {"--lengths", "--kinds", "--values", "--count"})
    check<UsageError>(!arguments.has(flag),
                      "{} belongs to the sortedness task; this run learned {}", flag,
                      field_text(config.task.name));
}

int eval_examples(const Arguments& arguments, const Config& config, Console& console) {
  const std::string& run = run_folder(arguments);
  refuse_sortedness(arguments, config);
  check<UsageError>(!arguments.has("--census"),
                    "--census belongs to the addition task; this run learned {}",
                    field_text(config.task.name));
  Team team(thread_count(arguments));
  const ExampleResult result = score_run(run, team, console);
  if (arguments.json()) {
    Json json{{"task", field_text(config.task.name)}, {"run", run}};
    json.update(json_of(result.test));
    json["validation"] = json_of(result.validation);
    json["warnings"] = Json::array();
    for (const Warning& warning : result.warnings) json["warnings"].push_back(json_of(warning));
    console.result(json_line(json));
  } else {
    console.result(score_text(result.test));
  }
  for (const Warning& warning : result.warnings)
    console.warn("warning, {}: {}", warning.watchdog, warning.message);
  const auto task = open_task(run, config, false, reading_on(console));
  console.erase();
  keep_score(run, load_member(run), *task, run_score(result.test, result.warnings), console);
  return 0;
}

/// Every cell that was asked for, one after the other.
int eval_sortedness(const Arguments& arguments, Console& console) {
  const std::string& run = run_folder(arguments);
  const Member member = load_member(run);
  check<UsageError>(!arguments.has("--census"),
                    "--census belongs to the addition task; this run learned sortedness");
  const std::vector<SetSpec> sets = wanted_sets(arguments);
  label_defect(member.config, console);
  Team team(thread_count(arguments));
  SortednessExam exam{.config = member.config,
                      .model = member.classifier(),
                      .weights = member.weights,
                      .team = team};
  std::vector<SortCell> cells;
  for (const SetSpec& spec : sets) {
    exam.progress = [&](Index done, Index total) {
      stop_if_interrupted();
      const double part = static_cast<double>(done) / static_cast<double>(total);
      if (console.due())
        console.bar((static_cast<double>(cells.size()) + part) / static_cast<double>(sets.size()),
                    fmt::format("{} at length {}", field_text(spec.kind), spec.length));
    };
    cells.push_back(score_set(exam, spec, kTrainedThreshold));
  }
  console.erase();
  if (arguments.json()) {
    Json list = Json::array();
    for (const SortCell& cell : cells) list.push_back(cell_json(cell));
    console.result(json_line({{"task", field_text(member.config.task.name)},
                              {"run", run},
                              {"cells", list},
                              {"defect", member.config.defect_note()}}));
  } else {
    console.result(fmt::format("trained at lengths {}, seed {}\n{}", member.config.task.lengths,
                               member.config.seed, cells_text(cells)));
  }
  keep_score(run, member, *open_task(run, member.config),
             run_score(cells, parse_lengths(member.config.task.lengths).most), console);
  return 0;
}

AdditionScore score_member(const Arguments& arguments, const Member& member, std::int64_t step,
                           Console& console) {
  const Addition task(member.config);
  Team team(thread_count(arguments));
  std::optional<SeenPairs> seen;
  if (task.digits() <= Census::kLargest && step > 0 && step <= member.config.train.steps)
    seen = seen_in_training(task, step);
  const AdditionExam exam{.config = member.config,
                          .model = member.seq2seq(),
                          .weights = member.weights,
                          .team = team,
                          .seen = seen ? &*seen : nullptr,
                          .progress = scoring_progress(console)};
  AdditionScore score =
      arguments.has("--census") ? score_census(exam) : score_problems(exam, "test", task.test_problems());
  console.erase();
  return score;
}

std::string score_json(const std::string& run, const Config& config, std::int64_t step,
                       const AdditionScore& score, const std::vector<Warning>& warnings) {
  Json json{{"task", field_text(config.task.name)}, {"run", run}};
  json.update(json_of(score));
  json["step"] = step;
  json["defect"] = config.defect_note();
  json["warnings"] = Json::array();
  for (const Warning& warning : warnings) json["warnings"].push_back(json_of(warning));
  return json_line(json);
}

int run_eval(const Arguments& arguments, Console& console) {
  const std::string& run = run_folder(arguments);
  const Config config = load_config(run);
  if (config.task.name == TaskKind::sortedness) return eval_sortedness(arguments, console);
  if (config.task.name != TaskKind::addition) return eval_examples(arguments, config, console);
  const Member member = load_member(run);
  refuse_sortedness(arguments, config);
  label_defect(member.config, console);
  const std::int64_t step = step_of(run);
  const AdditionScore score = score_member(arguments, member, step, console);
  const std::int64_t last = member.config.train.steps;  // every watchdog may speak
  const std::vector<Warning> warnings =
      Watchdogs(member.config, 0, {}).after_validation(last, score);
  if (arguments.json()) {
    console.result(score_json(run, member.config, step, score, warnings));
  } else {
    console.result(score_text(member.config, step, score));
  }
  for (const Warning& warning : warnings)
    console.warn("warning, {}: {}", warning.watchdog, warning.message);
  keep_score(run, member, *open_task(run, member.config), run_score(score, warnings), console);
  return 0;
}

}  // namespace

Command eval_command() {
  return {.name = "eval",
          .summary = "Scores a member: on its test problems, or on every problem there is.",
          .positionals = {{.name = "RUN", .help = "the folder that train wrote"}},
          .flags = {{.name = "--census",
                     .value = "",
                     .help = "every pair of operands, up to three digits"},
                    {.name = "--lengths",
                     .value = "L,…",
                     .help = "sortedness: lengths to ask at (8,12,16,32,64,128,256)"},
                    {.name = "--kinds",
                     .value = "K,…",
                     .help = "sortedness: kinds of negatives, dip with its depth: "
                             "swaps,adjacent,dip5 (all)"},
                    {.name = "--values",
                     .value = "V,…",
                     .help = "sortedness: uniform, windowed or both (uniform)"},
                    {.name = "--count",
                     .value = "N",
                     .help = "sortedness: sequences of each length and kind (1000)"}},
          .examples = {"eval run --census", "eval run --json",
                       "eval sorter --lengths 16,256,4096 --kinds adjacent,dip1"},
          .run = run_eval};
}

}  // namespace heddle::cli
