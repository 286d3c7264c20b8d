// The classifier that learns whether a sequence is sorted.
#pragma once

#include "heddle/model/classifier/rows.hpp"
#include "heddle/model/member.hpp"
#include "heddle/task/sortedness/sortedness.hpp"
#include "heddle/train/learner.hpp"

namespace heddle {

class SortednessLearner : public Learner {
 public:
  explicit SortednessLearner(const Config& config);

  const WeightLayout& layout() const override { return model_->layout(); }
  Index batch() const override { return task_.batch(); }
  void draw(Index step) override;
  Var loss(Run& run, Index first, Index size) const override;
  Examination examine(const Weights& weights, Team& team, std::int64_t step,
                      Watchdogs& watchdogs) const override;
  double prior_entropy() const override;
  std::string data_hash() const override { return task_.data_hash(); }
  std::vector<SplitMakeup> makeup() const override;

 private:
  Config config_;
  std::unique_ptr<Classifier> model_;
  Sortedness task_;
  LabelledBatch batch_;
  ClassifierRows rows_;
};

}  // namespace heddle
