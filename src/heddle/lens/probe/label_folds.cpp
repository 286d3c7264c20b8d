// See label_folds.hpp.
#include "heddle/lens/probe/label_folds.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/lens/probe/ridge.hpp"

namespace heddle {

LabelFolds make_folds(std::span<const std::string> labels, std::span<const std::uint64_t> hashes) {
  LabelFolds folds;
  std::map<std::uint64_t, std::size_t> first_label;  // of each different input
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto found = std::ranges::find(folds.names, labels[i]);
    folds.label.push_back(to_size(found - folds.names.begin()));
    if (found == folds.names.end()) folds.names.push_back(labels[i]);
    first_label.emplace(hashes[i], folds.label.back());
  }
  std::vector<std::size_t> next(folds.names.size());
  std::map<std::uint64_t, std::size_t> fold_of;
  for (const auto& [hash, label] : first_label) fold_of[hash] = next[label]++ % kFolds;
  for (const std::uint64_t hash : hashes) folds.fold.push_back(fold_of[hash]);
  for (std::size_t label = 0; label < next.size(); ++label)
    check<FileError>(next[label] >= 2,
                     "the label {} has fewer than two inputs of its own; a probe is fitted on some "
                     "and scored on others",
                     quote(folds.names[label]));
  return folds;
}

Balanced balanced_accuracy(std::span<const std::size_t> labels, std::span<const std::size_t> given,
                           std::size_t count) {
  std::vector<double> right(count), all(count);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    all[labels[i]] += 1;
    if (given[i] == labels[i]) right[labels[i]] += 1;
  }
  double shares = 0, inverse = 0, present = 0;
  for (std::size_t label = 0; label < count; ++label) {
    if (all[label] == 0) continue;
    shares += right[label] / all[label];
    inverse += 1 / all[label];
    present += 1;
  }
  if (present == 0) return {};
  const double p = shares / present, n = present * present / inverse, z2 = kZ95 * kZ95;
  const double centre = p + z2 / (2 * n),
               reach = kZ95 * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n)), scale = 1 + z2 / n;
  // The ends are exact where rounding would leave a crumb.
  return {.share = p,
          .interval = {.low = p == 0 ? 0 : std::max(0.0, (centre - reach) / scale),
                       .high = p == 1 ? 1 : std::min(1.0, (centre + reach) / scale)}};
}

/// What is fitted on all inputs outside one fold.
struct FoldProber::Fold {
  std::vector<std::size_t> fit, score;
  Ridge ridge;
};

FoldProber::FoldProber(const LabelFolds& folds, std::size_t width, std::vector<const float*> rows)
    : folds_(folds), width_(width), rows_(std::move(rows)) {
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    std::vector<std::size_t> fit, score;
    std::vector<const float*> fitted;
    for (std::size_t i = 0; i < folds.size(); ++i) {
      (folds.fold[i] == fold ? score : fit).push_back(i);
      if (folds.fold[i] != fold) fitted.push_back(rows_[i]);
    }
    if (score.empty()) continue;
    Moments moments(width);
    moments.add(fitted);
    fitted_.push_back({std::move(fit), std::move(score), Ridge(moments)});
  }
}

FoldProber::~FoldProber() = default;

std::vector<std::size_t> FoldProber::given(std::span<const std::size_t> labels,
                                           std::size_t count) const {
  std::vector<std::size_t> given(labels.size());
  for (const Fold& fold : fitted_) {
    std::vector<ClassSum> sums(count, {.count = 0, .sum = std::vector<double>(width_)});
    for (const std::size_t i : fold.fit) {
      ClassSum& mine = sums[labels[i]];
      mine.count += 1;
      for (std::size_t j = 0; j < width_; ++j) mine.sum[j] += static_cast<double>(rows_[i][j]);
    }
    std::vector<LinearProbe> probes;
    for (const ClassSum& sum : sums) probes.push_back(fold.ridge.fit(sum));
    for (const std::size_t i : fold.score) {
      std::vector<double> scores;
      for (std::size_t label = 0; label < count; ++label)
        // A label that no fitted input has is never given.
        scores.push_back(sums[label].count > 0 ? probes[label].score(rows_[i])
                                               : -std::numeric_limits<double>::infinity());
      given[i] = to_size(std::ranges::max_element(scores) - scores.begin());
    }
  }
  return given;
}

}  // namespace heddle
