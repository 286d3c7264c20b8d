// How a classifier did on a plain list of sequences.
#pragma once

#include "heddle/record/score.hpp"

namespace heddle {

struct SequenceScore {
  Count accuracy;
  double predicted_positive = 0;  ///< share that was called sorted
  double positives = 0;           ///< share that is sorted
  double loss = 0;                ///< mean, nats

  /// One answer for nearly all of them, where neither answer is right for nearly all.
  bool constant() const {
    constexpr double kNearly = 0.99;
    const auto nearly = [](double share) { return share >= kNearly || share <= 1 - kNearly; };
    return accuracy.total > 0 && nearly(predicted_positive) && !nearly(positives);
  }
};

}  // namespace heddle
