// heddle eval: scores of a member, teacher-forced and greedy side by side.
#include <functional>

#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/text/example_text.hpp"
#include "heddle/cli/text/keep.hpp"
#include "heddle/cli/text/progress_view.hpp"
#include "heddle/cli/text/score_text.hpp"
#include "heddle/cli/text/sortedness_text.hpp"
#include "heddle/config/sequences.hpp"
#include "heddle/eval/run_score.hpp"
#include "heddle/eval/score.hpp"
#include "heddle/eval/sortedness.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/open_task.hpp"
#include "heddle/model/member.hpp"
#include "heddle/record/json.hpp"
#include "heddle/train/watchdogs.hpp"

namespace heddle::cli {
namespace {

/// The step whose weights the checkpoint holds; 0 if it does not say.
std::int64_t step_of(const Member& member) {
  const auto found = member.metadata.find("heddle.step");
  return found == member.metadata.end() ? 0 : parse_int(found->second).value_or(0);
}

Json run_json(const std::string& run, const Config& config) {
  return {{"task", field_text(config.task.name)}, {"run", run}};
}

/// A run, opened to be scored.
struct Scored {
  const std::string& run;
  const Member& member;
  const Task& task;
};

/// Every cell that was asked for, one after the other.
std::vector<SortCell> score_cells(const Scored& scored, const std::vector<SetSpec>& sets,
                                  Team& team, Console& console) {
  std::vector<SortCell> cells;
  for (const SetSpec& spec : sets) {
    const ExamSetup setup = exam_setup(scored.member, team, [&](Index done, Index total) {
      stop_if_interrupted();
      const double part = static_cast<double>(done) / static_cast<double>(total);
      if (console.due())
        console.bar((static_cast<double>(cells.size()) + part) / static_cast<double>(sets.size()),
                    fmt::format("{} at length {}", field_text(spec.kind), spec.length));
    });
    cells.push_back(score_set(setup, scored.member.config, spec, kTrainedThreshold));
  }
  console.erase();
  return cells;
}

int eval_by_length(const Arguments& arguments, const Scored& scored, Console& console) {
  const Config& config = scored.member.config;
  const std::vector<SetSpec> sets = wanted_sets(arguments);
  Team team(thread_count(arguments));
  const std::vector<SortCell> cells = score_cells(scored, sets, team, console);
  if (arguments.json()) {
    Json list = Json::array();
    for (const SortCell& cell : cells) list.push_back(cell_json(cell));
    Json json = run_json(scored.run, config);
    json["cells"] = list;
    json["defect"] = config.defect_note();
    console.result(json_line(json));
  } else {
    console.result(fmt::format("trained at lengths {}, seed {}\n{}", config.task.lengths,
                               config.seed, cells_text(cells)));
  }
  keep_score(scored.run, scored.member, scored.task,
             run_score(cells, parse_lengths(config.task.lengths).most), console);
  return 0;
}

/// What --json prints of an exam.
Json exam_json(const Scored& scored, std::int64_t step, const Score& score,
               const std::vector<Warning>& warnings) {
  Json json = run_json(scored.run, scored.member.config);
  json.update(json_of(score));
  json["step"] = step;
  json["defect"] = scored.member.config.defect_note();
  json["warnings"] = Json::array();
  for (const Warning& warning : warnings) json["warnings"].push_back(json_of(warning));
  return json;
}

int eval_exam(const Arguments& arguments, const Scored& scored, Console& console) {
  const Config& config = scored.member.config;
  const Task& task = scored.task;
  const std::string set = arguments.has("--census") ? "census" : "test";
  const std::int64_t step = step_of(scored.member), last = config.train.steps;
  if (set == "test") (void)some_of(task.test(), 0, 1);  // refuses where there are none
  const auto exam = task.exam(set);
  const auto facets = task.facets(step <= last ? step : 0);
  Team team(thread_count(arguments));
  if (set == "census")
    console.note("census: all {} {} there are", format_count(exam->size()),
                 task.traits().questions);
  ProgressView progress(console, set, task.traits().questions);
  const ExamSetup setup = exam_setup(scored.member, team, std::ref(progress));
  const Score score = score_exam(setup, task, set, *exam, facets.get());
  const std::vector<Warning> warnings =  // every watchdog may speak
      Watchdogs(config, 0, {}).after_validation(last, score, task.traits());
  if (arguments.json()) {
    Json json = exam_json(scored, step, score, warnings);
    if (set == "test")
      json["validation"] = json_of(score_questions(setup, task, "validation", task.validation()));
    console.erase();
    console.result(json_line(json));
  } else {
    console.erase();
    console.result(score_heading(score, task, config, step) + score_text(score, task));
  }
  for (const Warning& warning : warnings)
    console.warn("warning, {}: {}", warning.watchdog, warning.message);
  keep_score(scored.run, scored.member, task, run_score(score, warnings), console);
  return 0;
}

int run_eval(const Arguments& arguments, Console& console) {
  const std::string& run = run_folder(arguments);
  const Member member = load_member(run);
  const auto task = open_task(run, member.config, false, reading_progress(console));
  console.erase();
  label_defect(member.config, console);
  const Scored scored{.run = run, .member = member, .task = *task};
  if (task->traits().sets_by_length && !arguments.has("--census"))
    return eval_by_length(arguments, scored, console);
  for (const std::string_view flag : {"--lengths", "--kinds", "--values", "--count"})
    check<UsageError>(!arguments.has(flag),
                      "{} belongs to the sortedness task; this run learned {}", flag,
                      field_text(member.config.task.name));
  return eval_exam(arguments, scored, console);
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
