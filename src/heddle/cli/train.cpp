// heddle train: one member into a run's folder, or a sweep (sweep.cpp).
#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/cli/shared_study.hpp"
#include "heddle/cli/sweep.hpp"
#include "heddle/cli/text/example_text.hpp"
#include "heddle/cli/text/keep.hpp"
#include "heddle/cli/text/score_text.hpp"
#include "heddle/cli/text/sortedness_text.hpp"
#include "heddle/cli/text/train_view.hpp"
#include "heddle/config/load.hpp"
#include "heddle/config/presets.hpp"
#include "heddle/config/sequences.hpp"
#include "heddle/eval/score.hpp"
#include "heddle/eval/sortedness.hpp"
#include "heddle/model/classifier/hand_built.hpp"
#include "heddle/model/save_member.hpp"
#include "heddle/record/json.hpp"
#include "heddle/task/file/file_task.hpp"
#include "heddle/task/registry.hpp"
#include "heddle/train/population.hpp"

namespace heddle::cli {
namespace {

/// What a training ended with.
struct Summary {
  Config config{};
  std::string run{};
  TrainOutcome outcome = TrainOutcome::finished;
  bool by_hand = false;  ///< the weights were written, not trained
  TrainingLog log{};
  std::int64_t step = 0;
  Score validation{}, test{};     ///< of the best step's weights; empty if it was stopped
  std::vector<SortCell> cells{};  ///< instead of them, where the task has exams by length
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

Config train_config(const Arguments& arguments, Console& console) {
  Config config = configured(arguments, arguments.positional(0));
  if (const auto seed = arguments.value("--seed")) set(config, "seed", *seed);
  validate(config);
  if (config.task.from_file()) {
    check<UsageError>(!config.task.path.empty(), "TASK file: say which, such as file:pairs.csv");
    read_shape(config, reading_progress(console));
    console.erase();
    validate(config);
  }
  return config;
}

bool by_hand(const Arguments& arguments) {
  return arguments.value("--preset") == kHandBuilt;
}

/// Writes the preset whose weights are known, instead of a training.
TrainOutcome build_by_hand(const Config& config, const std::string& run) {
  const auto differing = differences(config, hand_built_config());
  check<UsageError>(differing.empty(),
                    "preset {} is not trained, so no setting can be changed ({}): accepted is "
                    "neither --set nor --seed",
                    kHandBuilt, join(differing, "; "));
  check_place(run, config);
  if (file_exists(run + "/model.safetensors")) return TrainOutcome::was_finished;
  save_hand_built(run);
  return TrainOutcome::finished;
}

/// What was seen in the data, unless the run has it already.
void keep_data(const std::string& run, const Config& config, const Task& task, Console& console) {
  const std::vector<std::string> notes = task.notes();
  const KeptOrigin origin{.weights = "", .settings = config_hash(config), .data = task.data_hash()};
  if (!notes.empty() && !keeps_data(run, origin))
    keep_beside(run, origin, kKeptData, RunData{.lines = notes}, console);
}

/// A population of one.
TrainOutcome train_one(const Config& config, const std::string& run, Team& team,
                       TrainObserver observer, const std::function<void()>& begun) {
  observer.started = [started = observer.started, &begun](std::int64_t step,
                                                          const TrainingLog& log) {
    started(step, log);
    begun();
  };
  const auto trained = train_population(
      std::span(&config, 1),
      {.runs = {run}, .team = &team, .observer = [&](std::size_t) { return observer; }});
  return trained.front()->outcome;
}

/// A run that is finished is not shown beside data that it was not trained on.
void check_same_data(const Summary& summary, const Task& task) {
  const std::string then = summary.log.data_hash, now = task.data_hash();
  check<FileError>(then.empty() || then == now,
                   "{} is finished, and its data changed since it was trained (data hash {} then, "
                   "{} now): put the old data back or choose another --out",
                   quote_path(summary.run), then, now);
}

double seconds_of(const TrainingLog& log) {
  return log.rows.empty() ? 0 : log.rows.back().seconds;
}

/// A first look: the kinds that train, inside the training range and far beyond it.
void score_by_length(Summary& summary, const ExamSetup& setup) {
  constexpr Index kCount = 400, kFar = 256;
  const bool rejects = summary.config.model.position == PositionKind::learned &&
                       summary.config.model.position_past_end == PastEndKind::reject;
  const Index longest = parse_lengths(summary.config.task.lengths).most;
  for (const NegativeKind kind : parse_kinds(summary.config.task.kinds))
    for (const Index length : {longest, kFar}) {
      if (rejects && length > longest) continue;
      const SetSpec spec{.length = length,
                         .kind = kind,
                         .delta = kind == NegativeKind::dip ? 1 : 0,
                         .values = ValueKind::uniform,
                         .count = kCount,
                         .seed = kSetSeed};
      summary.cells.push_back(score_set(setup, summary.config, spec, kTrainedThreshold));
    }
}

/// What follows from the files of a run, however they came about.
void summarise(Summary& summary, const Task& task, Team& team) {
  const std::string log = summary.run + "/training_log.json";
  if (file_exists(log)) summary.log = read_training_log(log);
  check_same_data(summary, task);
  if (summary.outcome == TrainOutcome::stopped) return;
  summary.step = summary.by_hand ? 0 : summary.config.train.steps;
  const Member member = load_member(summary.run);
  const ExamSetup setup = exam_setup(member, team, [](Index, Index) { stop_if_interrupted(); });
  if (task.traits().sets_by_length) return score_by_length(summary, setup);
  summary.validation = score_questions(setup, task, "validation", task.validation());
  summary.test = score_questions(setup, task, "test", task.test());
}

Json summary_score(const Score& score) {
  return score.right().total == 0 ? Json() : json_of(score);
}

/// What the task adds to the summary.
Json scores_json(const Summary& summary, const Task& task) {
  if (!task.traits().sets_by_length)
    return {{"validation", summary_score(summary.validation)},
            {"test", summary_score(summary.test)}};
  Json cells = Json::array();
  for (const SortCell& cell : summary.cells) cells.push_back(cell_json(cell));
  const Json validation =
      summary.log.rows.empty() ? Json() : json_of(summary.log.rows.back().accuracy);
  return {{"last_validation", validation}, {"cells", cells}};
}

std::string summary_json(const Summary& summary, const Task& task) {
  Json warnings = Json::array();
  for (const Warning& warning : summary.log.warnings) warnings.push_back(json_of(warning));
  Json json{{"task", field_text(summary.config.task.name)},
            {"run", summary.run},
            {"outcome", name_of(summary.outcome)},
            {"by_hand", summary.by_hand},
            {"steps", summary.step},
            {"samples", summary.step * summary.config.train.batch},
            {"seconds", seconds_of(summary.log)},
            {"best_step", summary.log.best_step}};
  json.update(scores_json(summary, task));
  json.update(Json{{"warnings", warnings},
                   {"defect", summary.config.defect_note()},
                   {"data_hash", summary.log.data_hash},
                   {"config_hash", config_hash(summary.config)}});
  return json_line(json);
}

std::string scores_text(const Summary& summary, const Task& task) {
  if (task.traits().sets_by_length) return cells_text(summary.cells);
  if (task.shape().labels) return score_text(summary.test, task);
  Table table("lrrr");
  table.add(
      {"best step " + std::to_string(summary.log.best_step), "greedy", "teacher-forced", "tokens"});
  for (const Score* score : {&summary.validation, &summary.test})
    table.add({score->set, of_total(score->greedy), of_total(score->teacher_forced),
               percent(score->teacher_forced_tokens)});
  return table.text();
}

/// What to type next: what is not held out cannot be asked again.
std::string next_text(const Summary& summary, const Task& task, const std::string& program) {
  const bool asks = task.test().size() > 0;
  return fmt::format("next: {} {} {}{}\n", shell_quoted(program), asks ? "eval" : "report",
                     shell_quoted(summary.run), task.has_exam("census") ? " --census" : "");
}

std::string summary_text(const Summary& summary, const Task& task, const std::string& program) {
  const std::string effort =
      summary.by_hand
          ? "written by hand, nothing was trained"
          : fmt::format("{} samples in {}", format_count(summary.step * summary.config.train.batch),
                        format_seconds(seconds_of(summary.log)));
  return scores_text(summary, task) + fmt::format("  {}; in {}\n", effort, summary.run) +
         next_text(summary, task, program);
}

int run_train(const Arguments& arguments, Console& console) {
  if (wants_sweep(arguments)) return train_sweep(arguments, console);
  const Config config = train_config(arguments, console);
  const std::string& run = arguments.required("--out");
  check<UsageError>(!run.empty(), "--out is empty: give a folder for the run");
  refuse_sweep(run);
  const auto task = make_task(config);  // refuses what cannot exist before anything is written
  Team team(thread_count(arguments));
  TrainView view(config, *task, console);
  Summary summary{.config = config, .run = run, .by_hand = by_hand(arguments)};
  const auto keep_notes = [&] { keep_data(run, config, *task, console); };
  const TrainOutcome outcome = summary.by_hand
                                   ? build_by_hand(config, run)
                                   : train_one(config, run, team, view.observer(), keep_notes);
  console.erase();
  summary.outcome = outcome;
  summarise(summary, *task, team);
  if (outcome == TrainOutcome::was_finished) keep_notes();
  if (outcome == TrainOutcome::was_finished)
    console.note("{} is finished already: nothing to train", quote_path(run));
  if (outcome == TrainOutcome::stopped) {
    summary.step = view.step();
    console.warn("stopped at step {} of {}; the state is saved. To go on: {}", view.step(),
                 config.train.steps, arguments.line());
  }
  label_defect(config, console);
  if (arguments.json()) {
    console.result(summary_json(summary, *task));
  } else if (outcome != TrainOutcome::stopped) {
    console.result(summary_text(summary, *task, arguments.program()));
  }
  return outcome == TrainOutcome::stopped ? kStopped : 0;
}

}  // namespace

Command train_command() {
  static const std::string kTaskHelp =
      fmt::format("what is learned: {} (file:pairs.csv)", task_names());
  return {.name = "train",
          .summary =
              "Trains one member, or a sweep over lists of settings. The same line again goes on "
              "where it was stopped.",
          .positionals = {{.name = "TASK", .help = kTaskHelp}},
          .flags = {kPresetFlag,
                    {.name = "--seed", .value = "S", .help = "names the member (1)"},
                    kSeedsFlag,
                    kSetFlag,
                    {.name = "--columns",
                     .value = "INPUT,OUTPUT",
                     .help = "file:pairs.csv: which columns to take, where they are not called "
                             "input and output (INPUT,label=NAME for labels; split=NAME behind "
                             "either)"},
                    kPlanFlag,
                    {.name = "--out",
                     .value = "RUN",
                     .help = "the folder for its settings, weights and log",
                     .required = true}},
          .examples = {"train addition --out run",
                       "train addition --seed 7 --set digits=5 steps=4000 --out five",
                       "train sortedness --set position=sinusoidal pooling=mean --out sorter",
                       "train sortedness --set position=alibi,rope --seeds 3 --out sweep",
                       "train sortedness --preset hand-built --out perfect",
                       "train file:pairs.csv --set d_model=64 --out mine",
                       "train file:pairs.csv --columns question,answer --out mine"},
          .run = run_train};
}

}  // namespace heddle::cli
