// From the shards' gradients to new weights: a fixed tree of sums, clipping, AdamW, averaging.
#pragma once

#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/config/config.hpp"
#include "heddle/nn/weights.hpp"

namespace heddle {

class Optimizer {
 public:
  Optimizer(const WeightLayout& layout, const TrainConfig& config);

  /// Sums the gradients into the first (they are lost), clips, moves `weights` by one step (from 0)
  /// and lays out their panels anew. The sums have one shape whatever the team's size. Returns the
  /// norm before clipping.
  double update(Team& team, std::vector<Tensor>& gradients, long step, const Weights& weights);

  /// The moving average that is evaluated when train.ema is set.
  const Tensor& average() const { return average_; }
  bool averages() const { return config_.ema > 0; }
  /// What has to be saved for an exact resume.
  const Tensor& first_moment() const { return m_; }
  const Tensor& second_moment() const { return v_; }

 private:
  /// A stretch of the flat buffer that one thread handles at a time.
  struct Segment {
    Index offset = 0, size = 0;
    bool decays = false;
  };

  double sum_gradients(const Segment& segment, const std::vector<Tensor>& gradients,
                       const Tensor& weights) const;
  void move(const Segment& segment, const Tensor& gradient, long step, double scale,
            const Tensor& weights) const;

  /// The segments of one weight: a thread moves and packs it while it is in the cache.
  struct Stretch {
    WeightId weight = -1;
    std::size_t first = 0, end = 0;
  };

  TrainConfig config_;
  std::vector<Segment> segments_;
  std::vector<Stretch> stretches_;
  std::vector<double> squares_;  // per segment: Σ g²
  Tensor m_, v_, average_;
};

}  // namespace heddle
