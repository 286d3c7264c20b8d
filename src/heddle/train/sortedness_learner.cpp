// See sortedness_learner.hpp.
#include "heddle/train/sortedness_learner.hpp"

#include <cmath>

#include "heddle/eval/sortedness.hpp"
#include "heddle/ops/loss.hpp"
#include "heddle/task/sortedness/settings.hpp"

namespace heddle {
SortednessLearner::SortednessLearner(const Config& config)
    : config_(config),
      model_(build_classifier(config)),
      task_(config) {}

void SortednessLearner::draw(Index step) {
  task_.data().train_batch(step, batch_);
  rows_.fill(batch_, model_->config(),
             {.seed = config_.seed,
              .purpose = Purpose::training,
              .first = static_cast<std::uint64_t>(step * task_.batch())});
}

Var SortednessLearner::loss(Run& run, Index first, Index size) const {
  const Var logits = model_->forward(run, rows_.part(batch_, first, size));
  return cross_entropy(logits, batch_.labels.data() + first,
                       1.0 / static_cast<double>(batch_.size));
}

Examination SortednessLearner::examine(const Weights& weights, Team& team, std::int64_t step,
                                       Watchdogs& watchdogs) const {
  const SortednessExam exam{.config = config_, .model = *model_, .weights = weights, .team = team};
  const SequenceScore score = score_sequences(exam, task_.data().validation());
  Examination result;
  result.row.validation_loss = score.loss;
  result.row.accuracy = score.accuracy;
  result.row.predicted_positive = score.predicted_positive;
  result.correct = score.accuracy.correct;
  result.warnings = watchdogs.after_validation(step, score);
  return result;
}

double SortednessLearner::prior_entropy() const {
  SequenceMakeup makeup;
  for (const LabelledSequence& each : task_.data().validation()) makeup.add(each.values);
  const double p = static_cast<double>(makeup.positives) / static_cast<double>(makeup.count());
  return p <= 0 || p >= 1 ? 0 : -p * std::log(p) - (1 - p) * std::log(1 - p);
}

std::vector<SplitMakeup> SortednessLearner::makeup() const {
  return task_.makeup();
}

}  // namespace heddle
