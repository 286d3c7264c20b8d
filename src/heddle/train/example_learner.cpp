// See example_learner.hpp.
#include "heddle/train/example_learner.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "heddle/eval/examples.hpp"
#include "heddle/ops/loss.hpp"

namespace heddle {

ExampleLearner::ExampleLearner(const Config& config)
    : config_(config), model_(build_model(config)), task_(make_example_task(config)) {}

void ExampleLearner::draw(Index step) {
  task_->train_examples(step, examples_);
  if (config_.classifies()) {
    encode_labels(examples_, 0, examples_.size(), layout_of(config_.model), task_->shape(),
                  labelled_);
    rows_.fill(labelled_, config_.model,
               {.seed = config_.seed,
                .purpose = Purpose::training,
                .first = static_cast<std::uint64_t>(step * task_->batch())});
    weight_ = 1.0 / static_cast<double>(labelled_.size);
    return;
  }
  encode_pairs(examples_, 0, examples_.size(), task_->shape(), pairs_);
  const auto bearing =
      std::ranges::count_if(pairs_.target_out, [](std::int32_t t) { return t != kNoTarget; });
  weight_ = 1.0 / static_cast<double>(bearing);
}

Var ExampleLearner::loss(Run& run, Index first, Index size) const {
  if (config_.classifies())
    return cross_entropy(model_->forward(run, rows_.part(labelled_, first, size)),
                         labelled_.labels.data() + first, weight_);
  const Index from = first * pairs_.source_length, to = first * pairs_.target_length;
  const ModelInput input{
      .source = {.ids = pairs_.source.data() + from,
                 .batch = size,
                 .length = pairs_.source_length,
                 .valid =
                     pairs_.source_valid.empty() ? nullptr : pairs_.source_valid.data() + from},
      .target = {
          .ids = pairs_.target_in.data() + to, .batch = size, .length = pairs_.target_length}};
  return cross_entropy(model_->forward(run, input), pairs_.target_out.data() + to, weight_);
}

Examination ExampleLearner::examine(const Weights& weights, Team& team, std::int64_t step,
                                    Watchdogs& watchdogs) const {
  const ExampleScore score = score_examples(
      {.config = config_, .task = *task_, .model = *model_, .weights = weights, .team = team},
      "validation", task_->validation());
  Examination result;
  result.row.validation_loss = score.loss;
  result.row.tokens = score.teacher_forced_tokens;
  result.row.teacher_forced = score.teacher_forced;
  result.row.greedy = score.greedy;
  result.row.accuracy = score.accuracy;
  result.row.predicted_positive = score.most_given();
  result.correct = score.right().correct;
  result.warnings = watchdogs.after_validation(step, score);
  return result;
}

/// Of labels; of sequences position by position.
double ExampleLearner::prior_entropy() const {
  const ExampleList& list = task_->validation();
  std::map<std::pair<std::size_t, std::int32_t>, double> counts;
  std::map<std::size_t, double> totals;
  for (Index i = 0; i < list.size(); ++i) {
    const auto output = list[i].output;
    for (std::size_t t = 0; t <= output.size(); ++t) {
      if (t == output.size() && task_->shape().labels) break;
      counts[{t, t < output.size() ? output[t] : task_->shape().eos()}] += 1;
      totals[t] += 1;
    }
  }
  double sum = 0, all = 0;
  for (const auto& [key, count] : counts) sum -= count * std::log(count / totals[key.first]);
  for (const auto& [place, total] : totals) all += total;
  return all > 0 ? sum / all : 0;
}

std::vector<SplitMakeup> ExampleLearner::makeup() const {
  std::vector<SplitMakeup> splits;
  const auto add = [&](std::string name, Index count) {
    SplitMakeup split;
    split.split = std::move(name);
    split.count = count;
    split.examples = true;
    splits.push_back(std::move(split));
  };
  add("train", task_->train_size());
  add("validation", task_->validation().size());
  add("test", task_->test().size());
  return splits;
}

}  // namespace heddle
