// Labels as numbers, and the folds in which inputs are fitted and scored.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heddle/lens/stats/stats.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle {

inline constexpr std::size_t kFolds = 5;

struct LabelFolds {
  std::vector<std::string> names;  ///< in the order in which they appear
  std::vector<std::size_t> label;  ///< [input]
  std::vector<std::size_t> fold;   ///< [input]

  std::size_t size() const { return label.size(); }
};

/// `hashes` tell inputs apart. Error names a label with fewer than two different inputs.
LabelFolds make_folds(std::span<const std::string> labels, std::span<const std::uint64_t> hashes);

/// The mean over labels of the share that is found, with its interval; labels that no input has
/// take no part.
struct Balanced {
  double share = 0;
  Interval interval;
};
Balanced balanced_accuracy(std::span<const std::size_t> labels, std::span<const std::size_t> given,
                           std::size_t count);

/// Given labels for all inputs: each from a probe that was fitted on the other folds. `row` is an
/// input's features.
class FoldProber {
 public:
  FoldProber(const LabelFolds& folds, std::size_t width, std::vector<const float*> rows);
  ~FoldProber();
  FoldProber(const FoldProber&) = delete;
  FoldProber& operator=(const FoldProber&) = delete;

  /// For these labels of the inputs, of which there are `count` different ones.
  std::vector<std::size_t> given(std::span<const std::size_t> labels, std::size_t count) const;

 private:
  struct Fold;
  const LabelFolds& folds_;
  std::size_t width_;
  std::vector<const float*> rows_;
  std::vector<Fold> fitted_;
};

}  // namespace heddle
