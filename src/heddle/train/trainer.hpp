// One member in training: batch → shards → gradients → weights. A step allocates nothing once warm.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heddle/autograd/tape.hpp"
#include "heddle/base/parallel.hpp"
#include "heddle/config/config.hpp"
#include "heddle/nn/run.hpp"
#include "heddle/train/learner.hpp"
#include "heddle/train/optimizer.hpp"

namespace heddle {

struct StepResult {
  double loss = 0;           ///< mean over loss-bearing positions, nats
  double gradient_norm = 0;  ///< before clipping
};

class Trainer {
 public:
  Trainer(const Config& config, Team& team);

  /// Trains on the next batch.
  StepResult step();

  long steps_done() const { return steps_done_; }
  const Config& config() const { return config_; }
  const WeightLayout& layout() const { return learner_.layout(); }
  const Learner& learner() const { return learner_; }
  Team& team() const { return *team_; }
  /// The weights to evaluate and save, packed: the averaged ones if train.ema is set.
  const Weights& evaluated();

  /// Takes the weights of a checkpoint instead of drawing them; before the first step.
  void start_from(const std::string& path);
  /// Every buffer that an exact resume needs, by name; written to and read from directly.
  std::vector<std::pair<std::string, Tensor>> state();
  /// Call after state() has been read back.
  void resume_at(long steps_done);

  /// How many shards a batch is split into: fixed by its size alone, so that bits do not depend on
  /// threads.
  static int shard_count(Index batch);

 private:
  /// One part of the batch, with everything its pass needs.
  struct Shard {
    Index first = 0, size = 0;
    Tape tape;
    std::unique_ptr<Run> run;
    double loss = 0;
  };

  void run_shard(Shard& shard);
  void repack();

  Team* team_;
  Config config_;
  Learner learner_;
  Weights weights_;
  Weights average_;  // train.ema
  Optimizer optimizer_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::vector<Tensor> gradients_;  // one flat buffer per shard
  long steps_done_ = 0;
};

}  // namespace heddle
