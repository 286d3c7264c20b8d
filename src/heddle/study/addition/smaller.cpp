// See smaller.hpp.
#include "heddle/study/addition/smaller.hpp"

#include <algorithm>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/prune/prune.hpp"
#include "heddle/model/checkpoint.hpp"
#include "heddle/task/addition/words.hpp"
#include "heddle/train/population.hpp"

namespace heddle {
namespace {

bool same_numbers(const Weights& a, const Weights& b) {
  return std::ranges::equal(a.flat().flat<float>(), b.flat().flat<float>());
}

/// The weights to begin with, or those that are there already if they are the same.
void put_start(const Member& member, const std::string& folder) {
  make_folder(folder);
  const std::string path = folder + "/" + kStartWeights;
  if (!file_exists(path)) {
    check<UsageError>(!file_exists(folder + "/config.json"),
                      "{} was not begun as a fine-tuning; choose another folder",
                      quote_path(folder));
    save_weights(path, member.weights, {});
    return;
  }
  Weights there(member.model->layout(), DType::f32);
  load_weights(path, there);
  check<UsageError>(same_numbers(there, member.weights),
                    "{} was begun from other weights; choose another folder", quote_path(folder));
}

std::optional<SmallerModel> train_and_score(SmallerKind kind, const Config& config,
                                            const SmallerRun& run, Team& team,
                                            const TrainObserver& observer) {
  const auto trained = train_population(
      std::span(&config, 1),
      {.runs = {run.folder}, .team = &team, .observer = [&](std::size_t) { return observer; }});
  if (trained.front()->outcome == TrainOutcome::stopped) return std::nullopt;
  const Member member = load_member(run.folder);
  const EncodedQuestions set = encoded(member, questions_of(run.scored));
  SmallerModel model = smaller_model(field_text(kind), member,
                                     judge_variants(member, set, {}, team).front().count());
  model.steps = config.train.steps;
  return model;
}

}  // namespace

Config fine_tune_config(const Config& config, const FineTuning& how) {
  constexpr std::int64_t kTenth = 10;
  Config tuned = config;
  tuned.train.steps = how.steps;
  tuned.train.lr = how.lr;
  tuned.train.min_lr = std::min(config.train.min_lr, how.lr);
  tuned.train.warmup = how.steps / kTenth;
  validate(tuned);
  return tuned;
}

std::optional<SmallerModel> fine_tune(const Member& cut, const FineTuning& how,
                                      const SmallerRun& run, Team& team,
                                      const TrainObserver& observer) {
  const Config config = fine_tune_config(cut.config, how);
  put_start(cut, run.folder);
  return train_and_score(SmallerKind::fine_tuned, config, run, team, observer);
}

std::optional<SmallerModel> from_scratch(const Config& config, const SmallerRun& run, Team& team,
                                         const TrainObserver& observer) {
  check<UsageError>(!file_exists(run.folder + "/" + kStartWeights),
                    "{} was begun as a fine-tuning; choose another folder", quote_path(run.folder));
  return train_and_score(SmallerKind::from_scratch, config, run, team, observer);
}

}  // namespace heddle
