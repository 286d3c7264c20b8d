// See learner.hpp.
#include "heddle/train/learner.hpp"

#include <algorithm>

#include "heddle/eval/score.hpp"
#include "heddle/ops/loss.hpp"
#include "heddle/task/registry.hpp"

namespace heddle {

Learner::Learner(const Config& config)
    : seed_(config.seed), task_(make_task(config)), model_(build_model(config)) {}

void Learner::draw(Index step) {
  task_->train_questions(step, questions_);
  model_->encode_questions(questions_, 0, questions_.size(),
                           {.seed = seed_,
                            .purpose = Purpose::training,
                            .first = static_cast<std::uint64_t>(step * task_->batch())},
                           batch_);
  weight_ = 1.0 / static_cast<double>(std::max<Index>(batch_.bearing(), 1));
}

Var Learner::loss(Run& run, Index first, Index size) const {
  return cross_entropy(model_->forward(run, batch_.part(first, size)), batch_.targets(first),
                       weight_);
}

Examination Learner::examine(const Weights& weights, Team& team, std::int64_t step,
                             Watchdogs& watchdogs) const {
  const ExamSetup setup{.model = *model_, .weights = weights, .seed = seed_, .team = team};
  const Score score = score_questions(setup, *task_, "validation", task_->validation());
  Examination result;
  result.row.validation_loss = score.loss;
  result.row.tokens = score.teacher_forced_tokens;
  result.row.teacher_forced = score.teacher_forced;
  result.row.greedy = score.greedy;
  result.row.by_carries = score.counts("by_carries");
  result.row.accuracy = score.accuracy;
  result.row.predicted_positive = score.share_given(task_->traits().positive_label);
  result.correct = score.right().correct;
  result.warnings = watchdogs.after_validation(step, score, task_->traits());
  return result;
}

double Learner::prior_entropy() const {
  EncodedQuestions validation;
  model_->encode_questions(task_->validation(), 0, task_->validation().size(), {.seed = seed_},
                           validation);
  return heddle::prior_entropy(validation);
}

}  // namespace heddle
