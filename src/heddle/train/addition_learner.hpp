// The encoder-decoder that learns to add.
#pragma once

#include "heddle/model/member.hpp"
#include "heddle/task/addition/addition.hpp"
#include "heddle/train/learner.hpp"

namespace heddle {

class AdditionLearner : public Learner {
 public:
  explicit AdditionLearner(const Config& config);

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
  std::unique_ptr<Seq2Seq> model_;
  Addition task_;
  Batch batch_;
  std::vector<std::int32_t> starts_;  // of each problem, where counting digits begins
  double weight_ = 1;                 // of one loss-bearing position
};

}  // namespace heddle
