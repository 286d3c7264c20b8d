// A model that learns a task of words: an encoder-decoder for sequences, a classifier for labels.
#pragma once

#include "heddle/model/classifier/rows.hpp"
#include "heddle/model/member.hpp"
#include "heddle/task/example_task.hpp"
#include "heddle/train/learner.hpp"

namespace heddle {

class ExampleLearner : public Learner {
 public:
  explicit ExampleLearner(const Config& config);

  const WeightLayout& layout() const override { return model_->layout(); }
  Index batch() const override { return task_->batch(); }
  void draw(Index step) override;
  Var loss(Run& run, Index first, Index size) const override;
  Examination examine(const Weights& weights, Team& team, std::int64_t step,
                      Watchdogs& watchdogs) const override;
  double prior_entropy() const override;
  std::string data_hash() const override { return task_->data_hash(); }
  std::vector<SplitMakeup> makeup() const override;
  std::vector<std::pair<std::string, std::string>> files() const override { return task_->files(); }

 private:
  Config config_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<ExampleTask> task_;
  ExampleList examples_;
  Batch pairs_;
  LabelledBatch labelled_;
  ClassifierRows rows_;
  double weight_ = 1;  // of one position that bears loss
};

}  // namespace heddle
