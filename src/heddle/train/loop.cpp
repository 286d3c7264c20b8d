// See loop.hpp.
#include "heddle/train/loop.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <new>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/base/version.hpp"
#include "heddle/config/load.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/model/classifier/hand_built.hpp"
#include "heddle/model/cut.hpp"
#include "heddle/model/import/import.hpp"
#include "heddle/tensor/safetensors.hpp"
#include "heddle/train/memory.hpp"
#include "heddle/train/saved_state.hpp"
#include "heddle/train/schedule.hpp"
#include "heddle/train/trainer.hpp"
#include "heddle/train/watchdogs.hpp"

namespace heddle {
namespace {

TrainingLog fresh_log(const Config& config, const Task& task) {
  return {.version = std::string(kVersion),
          .isa = std::string(kernels::isa()),
          .config_hash = config_hash(config),
          .data_hash = task.data_hash(),
          .defect = config.defect_note(),
          .makeup = task.makeup(),
          .rows = {},
          .warnings = {}};
}

class Loop {
 public:
  Loop(const Config& config, const std::string& run, Team& team, const TrainObserver& observer)
      : files_(run),
        observer_(observer),
        trainer_(config, team),
        best_(trainer_.layout(), DType::f32) {
    saved_.log = fresh_log(config, trainer_.learner().task());
    resumed_ = files_.restore(trainer_, saved_, best_);
    if (resumed_) {
      trainer_.resume_at(saved_.step);
    } else if (file_exists(run + "/" + kStartWeights)) {
      trainer_.start_from(run + "/" + kStartWeights);
    }
    watchdogs_.emplace(config, trainer_.learner().prior_entropy(), saved_.log.warnings);
    watchdogs_->remember(saved_.watchdogs);
  }

  TrainOutcome train() {
    const TrainConfig& settings = trainer_.config().train;
    if (observer_.started) observer_.started(trainer_.steps_done(), saved_.log);
    begin_ = Clock::now();
    while (trainer_.steps_done() < settings.steps) {
      one_step();
      const long step = trainer_.steps_done();
      if (std::ranges::find(observer_.snapshots, step) != observer_.snapshots.end())
        files_.save_snapshot(trainer_, saved_.log, step);
      const bool due = settings.eval_every > 0 && step % settings.eval_every == 0;
      if (due || step == settings.steps) {
        validate();
        save();
      } else if (observer_.stop && observer_.stop()) {
        save();
        return TrainOutcome::stopped;
      }
    }
    saved_.log.finished = true;
    files_.finish(trainer_, saved_, best_);
    return TrainOutcome::finished;
  }

  /// Whether it goes on from a saved state.
  bool resumed() const { return resumed_; }
  std::vector<std::pair<std::string, std::string>> files() const {
    return trainer_.learner().task().files();
  }

 private:
  using Clock = std::chrono::steady_clock;

  double seconds() const {
    return saved_.seconds + std::chrono::duration<double>(Clock::now() - begin_).count();
  }

  void one_step() {
    const StepResult result = trainer_.step();
    const long step = trainer_.steps_done();
    saved_.loss_sum += result.loss;
    ++saved_.loss_count;
    gradient_norm_ = result.gradient_norm;
    warn(watchdogs_->after_step(step, result.loss));
    if (observer_.stepped)
      observer_.stepped({.step = step,
                         .steps = trainer_.config().train.steps,
                         .samples = step * trainer_.config().train.batch,
                         .loss = result.loss});
  }

  void validate() {
    const Config& config = trainer_.config();
    const Weights& weights = trainer_.evaluated();
    const long step = trainer_.steps_done();
    Examination exam = trainer_.learner().examine(weights, trainer_.team(), step, *watchdogs_);
    LogRow& row = exam.row;
    row.step = step;
    row.samples = step * config.train.batch;
    row.seconds = seconds();
    row.learning_rate = learning_rate(config.train, step - 1);
    row.train_loss = saved_.loss_sum / static_cast<double>(saved_.loss_count);
    row.gradient_norm = gradient_norm_;
    saved_.log.rows.push_back(row);
    saved_.loss_sum = 0;
    saved_.loss_count = 0;
    if (observer_.validated) observer_.validated(saved_.log.rows.back());
    for (Warning& warning : exam.warnings) warn(std::move(warning));
    if (is_best(exam)) {
      best_.copy(weights);
      saved_.best_correct = exam.correct;
      saved_.best_loss = row.validation_loss;
      saved_.log.best_step = step;
      files_.save_best(trainer_, saved_, best_);
    }
  }

  /// More right answers; among equals the lower loss.
  bool is_best(const Examination& exam) const {
    if (saved_.log.best_step == 0 || exam.correct != saved_.best_correct)
      return saved_.log.best_step == 0 || exam.correct > saved_.best_correct;
    return exam.row.validation_loss < saved_.best_loss;
  }

  void warn(std::optional<Warning> warning) {
    if (!warning) return;
    saved_.log.warnings.push_back(*warning);
    if (observer_.warned) observer_.warned(*warning);
  }

  void save() {
    saved_.step = trainer_.steps_done();
    saved_.watchdogs = watchdogs_->memory();
    const auto now = Clock::now();
    saved_.seconds += std::chrono::duration<double>(now - begin_).count();
    begin_ = now;
    files_.save(trainer_, saved_, best_);
  }

  RunFiles files_;
  const TrainObserver& observer_;
  Trainer trainer_;
  Weights best_;  // as model.safetensors will hold them
  SavedState saved_;
  std::optional<Watchdogs> watchdogs_;
  bool resumed_ = false;
  double gradient_norm_ = 0;
  Clock::time_point begin_;
};

/// Refuses a folder that belongs to another configuration. True if it holds this one already.
bool belongs_to(const Config& config, const std::string& run) {
  if (!file_exists(run + "/config.json")) {
    check<FileError>(!RunFiles(run).begun(),
                     "{} holds a training and no config.json that says with which settings: put it "
                     "back or choose another --out",
                     quote_path(run));
    return false;
  }
  const auto differing = differences(config, load_config(run));
  if (!differing.empty() && file_exists(run + "/model.safetensors"))
    (void)load_member(run);  // says so where it is config.json that was changed
  check<UsageError>(differing.empty(),
                    "{} was made with another configuration ({}); choose another --out",
                    quote_path(run), join(differing, "; "));
  return true;
}

/// Refuses a folder whose model was cut out of another, built by hand or imported: training would
/// replace it.
void check_trained(const std::string& run) {
  const std::string model = run + "/model.safetensors";
  if (folder_exists(run + "/state") || !file_exists(model)) return;
  const Metadata metadata = read_safetensors(model).metadata;
  for (const auto& [mark, kind] :
       {std::pair(kCutFrom, "a pruned"), std::pair(kBuiltByHand, "a hand-built"),
        std::pair(kImportedFrom, "an imported")})
    check<UsageError>(!metadata.contains(mark),
                      "{} holds {} model, which no training made; choose another --out",
                      quote_path(run), kind);
}

}  // namespace

std::string snapshot_name(std::int64_t step) {
  return fmt::format("snapshots/step_{:07}.safetensors", step);
}

TrainOutcome train_run(const Config& config, const std::string& run, Team& team,
                       const TrainObserver& observer) {
  validate(config);
  const bool finished = file_exists(run + "/config.json") && RunFiles(run).finished();
  if (!finished) check_training_memory(config, team.size());
  make_folder(run);
  const FolderLock lock(run);
  if (folder_exists(run + "/state")) remove_leftovers(run + "/state");
  const bool known = belongs_to(config, run);
  if (known && RunFiles(run).finished()) return TrainOutcome::was_finished;
  if (known) check_trained(run);
  Loop loop(config, run, team, observer);  // first: what cannot be built leaves no run behind
  if (!loop.resumed())
    for (const auto& [name, content] : loop.files())
      write_file(fmt::format("{}/{}", run, name), content);
  if (!known) write_file(run + "/config.json", config_json(config));
  try {
    return loop.train();
  } catch (const std::bad_alloc&) {
    // Nothing was learned yet: the folder is free for a smaller model.
    if (!folder_exists(run + "/state")) (void)remove_all(run + "/config.json");
    throw;
  }
}

}  // namespace heddle
