// heddle train: one member into a run's folder.
#include <nlohmann/json.hpp>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/train_view.hpp"
#include "heddle/config/load.hpp"
#include "heddle/eval/addition.hpp"
#include "heddle/model/member.hpp"
#include "heddle/record/json.hpp"
#include "heddle/task/addition.hpp"

namespace heddle::cli {
namespace {

constexpr int kStopped = 130;

/// What a training ended with.
struct Summary {
  Config config;
  std::string run;
  TrainOutcome outcome = TrainOutcome::finished;
  TrainingLog log;
  std::int64_t step = 0;
  AdditionScore validation, test;  ///< of the best step's weights; empty if it was stopped
};

std::string_view name_of(TrainOutcome outcome) {
  switch (outcome) {
    case TrainOutcome::finished:
      return "finished";
    case TrainOutcome::was_finished:
      return "was_finished";
    case TrainOutcome::stopped:
      break;
  }
  return "stopped";
}

Config wanted(const Arguments& arguments) {
  Config config = configured(arguments);
  set(config, "task.name", arguments.positional(0));
  if (const auto seed = arguments.value("--seed")) set(config, "seed", *seed);
  validate(config);
  return config;
}

double seconds_of(const TrainingLog& log) {
  return log.rows.empty() ? 0 : log.rows.back().seconds;
}

Summary summarise(const Config& config, const std::string& run, TrainOutcome outcome,
                  const Addition& task, Team& team) {
  Summary summary;
  summary.config = config;
  summary.run = run;
  summary.outcome = outcome;
  const std::string log = run + "/training_log.json";
  if (file_exists(log)) summary.log = parse_training_log(read_file(log));
  if (outcome == TrainOutcome::stopped) return summary;
  summary.step = config.train.steps;
  const Member member = load_member(run);
  const AdditionExam exam{.config = config,
                          .model = *member.model,
                          .weights = member.weights,
                          .team = team,
                          .progress = [](Index, Index) { stop_if_interrupted(); }};
  summary.validation = score_problems(exam, "validation", task.validation());
  summary.test = score_problems(exam, "test", task.test());
  return summary;
}

Json score_json(const AdditionScore& score) {
  if (score.greedy.total == 0) return {};
  return {{"greedy", json_of(score.greedy)},
          {"teacher_forced", json_of(score.teacher_forced)},
          {"teacher_forced_tokens", json_of(score.teacher_forced_tokens)}};
}

std::string summary_json(const Summary& summary) {
  Json warnings = Json::array();
  for (const Warning& warning : summary.log.warnings) warnings.push_back(json_of(warning));
  return json_line({{"task", field_text(summary.config.task.name)},
                    {"run", summary.run},
                    {"outcome", name_of(summary.outcome)},
                    {"steps", summary.step},
                    {"samples", summary.step * summary.config.train.batch},
                    {"seconds", seconds_of(summary.log)},
                    {"best_step", summary.log.best_step},
                    {"validation", score_json(summary.validation)},
                    {"test", score_json(summary.test)},
                    {"warnings", warnings},
                    {"defect", summary.config.defect_note()},
                    {"data_hash", summary.log.data_hash},
                    {"config_hash", config_hash(summary.config)}});
}

std::string summary_text(const Summary& summary, const std::string& program) {
  Table table("lrrr");
  table.add(
      {"best step " + std::to_string(summary.log.best_step), "greedy", "teacher-forced", "tokens"});
  for (const AdditionScore* score : {&summary.validation, &summary.test})
    table.add({score->set, of_total(score->greedy), of_total(score->teacher_forced),
               percent(score->teacher_forced_tokens)});
  std::string text = table.text();
  text += fmt::format("  {} samples in {}; in {}\n",
                      format_count(summary.step * summary.config.train.batch),
                      format_seconds(seconds_of(summary.log)), summary.run);
  const bool census = summary.config.task.digits <= Census::kLargest;
  text += fmt::format("next: {} eval {}{}\n", shell_quoted(program), shell_quoted(summary.run),
                      census ? " --census" : "");
  return text;
}

int run_train(const Arguments& arguments, Console& console) {
  const Config config = wanted(arguments);
  const std::string& run = arguments.required("--out");
  check<UsageError>(!run.empty(), "--out is empty: give a folder for the run");
  const Addition task(config);  // refuses data that cannot exist before anything is written
  Team team(thread_count(arguments));
  TrainView view(config, task.note(), console);
  const TrainOutcome outcome = train_run(config, run, team, view.observer());
  console.erase();
  Summary summary = summarise(config, run, outcome, task, team);
  if (outcome == TrainOutcome::was_finished)
    console.note("{} is finished already: nothing to train", quote_path(run));
  if (outcome == TrainOutcome::stopped) {
    summary.step = view.step();
    console.warn("stopped at step {} of {}; the state is saved. To go on: {}", view.step(),
                 config.train.steps, arguments.line());
  }
  label_defect(config, console);
  if (arguments.json()) {
    console.result(summary_json(summary));
  } else if (outcome != TrainOutcome::stopped) {
    console.result(summary_text(summary, arguments.program()));
  }
  return outcome == TrainOutcome::stopped ? kStopped : 0;
}

}  // namespace

Command train_command() {
  return {.name = "train",
          .summary = "Trains one member. The same line again goes on where it was stopped.",
          .positionals = {{.name = "TASK", .help = "what is learned: addition"}},
          .flags = {kPresetFlag,
                    {.name = "--seed", .value = "S", .help = "names the member (1)"},
                    kSetFlag,
                    {.name = "--out",
                     .value = "RUN",
                     .help = "the folder for its settings, weights and log",
                     .required = true}},
          .examples = {"train addition --out run",
                       "train addition --seed 7 --set digits=5 steps=4000 --out five"},
          .run = run_train};
}

}  // namespace heddle::cli
