// See loop.hpp.
#include "heddle/train/loop.hpp"

#include <algorithm>
#include <chrono>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/base/version.hpp"
#include "heddle/config/load.hpp"
#include "heddle/eval/addition.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/model/cut.hpp"
#include "heddle/tensor/safetensors.hpp"
#include "heddle/train/saved_state.hpp"
#include "heddle/train/schedule.hpp"
#include "heddle/train/trainer.hpp"
#include "heddle/train/watchdogs.hpp"

namespace heddle {
namespace {

SplitMakeup shares_of(std::string split, const Makeup& makeup) {
  SplitMakeup shares{.split = std::move(split),
                     .count = makeup.count,
                     .by_carries = {},
                     .cascades = makeup.share(makeup.cascades),
                     .double_cascades = makeup.share(makeup.double_cascades),
                     .top_carries = makeup.share(makeup.top_carries)};
  for (const Index count : makeup.by_carries) shares.by_carries.push_back(makeup.share(count));
  return shares;
}

TrainingLog fresh_log(const Config& config, const Addition& task) {
  const int digits = task.digits();
  return {.version = std::string(kVersion),
          .isa = std::string(kernels::isa()),
          .config_hash = config_hash(config),
          .data_hash = task.data_hash(),
          .defect = config.defect_note(),
          .makeup = {shares_of("train", task.train_makeup()),
                     shares_of("validation", makeup_of(task.validation(), digits)),
                     shares_of("test", makeup_of(task.test(), digits))},
          .rows = {},
          .warnings = {}};
}

class Loop {
 public:
  Loop(const Config& config, const std::string& run, Team& team, const TrainObserver& observer)
      : files_(run),
        observer_(observer),
        trainer_(config, team),
        best_(trainer_.model().layout(), DType::f32) {
    saved_.log = fresh_log(config, trainer_.task());
    if (files_.restore(trainer_, saved_, best_)) {
      trainer_.resume_at(saved_.step);
    } else if (file_exists(run + "/" + kStartWeights)) {
      trainer_.start_from(run + "/" + kStartWeights);
    }
    watchdogs_.emplace(config, prior_entropy(trainer_.task(), trainer_.task().validation()),
                       saved_.log.warnings);
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
    const AdditionExam exam{.config = config,
                            .model = trainer_.model(),
                            .weights = weights,
                            .team = trainer_.team(),
                            .progress = {}};
    const AdditionScore score = score_problems(exam, "validation", trainer_.task().validation());
    const long step = trainer_.steps_done();
    saved_.log.rows.push_back(
        {.step = step,
         .samples = step * config.train.batch,
         .seconds = seconds(),
         .learning_rate = learning_rate(config.train, step - 1),
         .train_loss = saved_.loss_sum / static_cast<double>(saved_.loss_count),
         .gradient_norm = gradient_norm_,
         .validation_loss = score.loss,
         .tokens = score.teacher_forced_tokens,
         .teacher_forced = score.teacher_forced,
         .greedy = score.greedy,
         .by_carries = score.by_carries});
    saved_.loss_sum = 0;
    saved_.loss_count = 0;
    if (observer_.validated) observer_.validated(saved_.log.rows.back());
    for (Warning& warning : watchdogs_->after_validation(step, score)) warn(std::move(warning));
    if (is_best(score)) {
      best_.copy(weights);
      saved_.best_correct = score.greedy.correct;
      saved_.best_loss = score.loss;
      saved_.log.best_step = step;
      files_.save_best(trainer_, saved_, best_);
    }
  }

  /// More right answers; among equals the lower loss.
  bool is_best(const AdditionScore& score) const {
    if (saved_.log.best_step == 0 || score.greedy.correct != saved_.best_correct)
      return saved_.log.best_step == 0 || score.greedy.correct > saved_.best_correct;
    return score.loss < saved_.best_loss;
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
  double gradient_norm_ = 0;
  Clock::time_point begin_;
};

/// Refuses a folder that belongs to another configuration. True if it holds this one already.
bool belongs_to(const Config& config, const std::string& run) {
  if (!file_exists(run + "/config.json")) return false;
  const auto differing = differences(config, load_config(run));
  check<UsageError>(differing.empty(),
                    "{} was made with another configuration ({}); choose another --out",
                    quote_path(run), join(differing, "; "));
  return true;
}

/// Refuses a folder whose model was cut out of another: training would replace it.
void check_not_cut(const std::string& run) {
  const std::string model = run + "/model.safetensors";
  if (folder_exists(run + "/state") || !file_exists(model)) return;
  check<UsageError>(!read_safetensors(model).metadata.contains(kCutFrom),
                    "{} holds a pruned model, which no training made; choose another --out",
                    quote_path(run));
}

}  // namespace

std::string snapshot_name(std::int64_t step) {
  return fmt::format("snapshots/step_{:07}.safetensors", step);
}

TrainOutcome train_run(const Config& config, const std::string& run, Team& team,
                       const TrainObserver& observer) {
  validate(config);
  make_folder(run);
  const FolderLock lock(run);
  if (folder_exists(run + "/state")) remove_leftovers(run + "/state");
  const bool known = belongs_to(config, run);
  if (known && RunFiles(run).finished()) return TrainOutcome::was_finished;
  if (known) check_not_cut(run);
  Loop loop(config, run, team, observer);  // first: what cannot be built leaves no run behind
  if (!known) write_file(run + "/config.json", config_json(config));
  return loop.train();
}

}  // namespace heddle
