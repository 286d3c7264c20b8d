// See addition_learner.hpp.
#include "heddle/train/addition_learner.hpp"

#include <algorithm>

#include "heddle/base/rng.hpp"
#include "heddle/eval/addition.hpp"
#include "heddle/ops/loss.hpp"

namespace heddle {
AdditionLearner::AdditionLearner(const Config& config)
    : config_(config), model_(build_seq2seq(config)), task_(config) {}

void AdditionLearner::draw(Index step) {
  task_.train_batch(step, batch_);
  const auto bearing = std::count_if(batch_.target_out.begin(), batch_.target_out.end(),
                                     [](std::int32_t t) { return t != kNoTarget; });
  weight_ = 1.0 / static_cast<double>(std::max<std::ptrdiff_t>(bearing, 1));
  if (!counts_digits(config_.model.position) || config_.model.position_starts == 1) return;
  starts_.resize(static_cast<std::size_t>(batch_.size));
  const auto first = static_cast<std::uint64_t>(step * batch());
  for (std::size_t row = 0; row < starts_.size(); ++row) {
    Rng rng(config_.seed, "starts", first + row);
    starts_[row] = static_cast<std::int32_t>(
        rng.below(static_cast<std::uint64_t>(config_.model.position_starts)));
  }
}

Var AdditionLearner::loss(Run& run, Index first, Index size) const {
  const Index from = first * batch_.source_length, to = first * batch_.target_length;
  const std::int32_t* starts = starts_.empty() ? nullptr : starts_.data() + first;
  const Tokens source{.ids = batch_.source.data() + from,
                      .batch = size,
                      .length = batch_.source_length,
                      .starts = starts};
  const Tokens target{.ids = batch_.target_in.data() + to,
                      .batch = size,
                      .length = batch_.target_length,
                      .starts = starts};
  Activations at;
  model_->encode(run, source, at);
  model_->decode(run, source, target, at);
  return cross_entropy(at.logits, batch_.target_out.data() + to, weight_);
}

Examination AdditionLearner::examine(const Weights& weights, Team& team, std::int64_t step,
                                     Watchdogs& watchdogs) const {
  const AdditionExam exam{
      .config = config_, .model = *model_, .weights = weights, .team = team, .progress = {}};
  const AdditionScore score = score_problems(exam, "validation", task_.validation_problems());
  Examination result;
  result.row.validation_loss = score.loss;
  result.row.tokens = score.teacher_forced_tokens;
  result.row.teacher_forced = score.teacher_forced;
  result.row.greedy = score.greedy;
  result.row.by_carries = score.by_carries;
  result.correct = score.greedy.correct;
  result.warnings = watchdogs.after_validation(step, score);
  return result;
}

double AdditionLearner::prior_entropy() const {
  return heddle::prior_entropy(task_, task_.validation_problems());
}

std::vector<SplitMakeup> AdditionLearner::makeup() const {
  return task_.makeup();
}

}  // namespace heddle
