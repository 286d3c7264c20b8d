// Folds for probes of a user's labels, and the balanced accuracy that they are scored by.
#include "heddle/lens/probe/label_folds.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/base/rng.hpp"

namespace heddle {
namespace {

TEST(LabelFolds, EqualInputsShareAFoldAndEveryLabelIsLeftToFit) {
  std::vector<std::string> labels;
  std::vector<std::uint64_t> hashes;
  for (std::uint64_t i = 0; i < 40; ++i) {
    labels.emplace_back(i % 10 == 0 ? "rare" : "common");
    hashes.push_back((i % 20) * 0x9e3779b97f4a7c15U);  // each input twice, with the same label
  }
  const LabelFolds folds = make_folds(labels, hashes);
  EXPECT_EQ(folds.names, (std::vector<std::string>{"rare", "common"}));
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(folds.fold[i], folds.fold[i + 20]);
  for (std::size_t fold = 0; fold < kFolds; ++fold)
    for (std::size_t label = 0; label < 2; ++label) {
      std::size_t left = 0;
      for (std::size_t i = 0; i < folds.size(); ++i)
        left += folds.fold[i] != fold && folds.label[i] == label ? 1U : 0U;
      EXPECT_GT(left, 0U) << fold;
    }
}

TEST(LabelFolds, ALabelWithOneInputIsRefused) {
  const std::vector<std::string> labels{"x", "y", "x", "y"};
  const std::vector<std::uint64_t> hashes{1, 2, 1, 3};
  EXPECT_THROW(make_folds(labels, hashes), FileError);
}

TEST(BalancedAccuracy, IsTheMeanOverLabels) {
  const std::vector<std::size_t> labels{0, 0, 0, 0, 1, 1}, given{0, 0, 0, 1, 1, 0};
  const Balanced found = balanced_accuracy(labels, given, 2);
  EXPECT_DOUBLE_EQ(found.share, (0.75 + 0.5) / 2);
  const std::vector<std::size_t> always(6, 0);
  EXPECT_DOUBLE_EQ(balanced_accuracy(labels, always, 2).share, 0.5);
}

/// With as many of each label it is the plain share, and the interval is Wilson's.
TEST(BalancedAccuracy, EqualLabelsGiveWilson) {
  const std::vector<std::size_t> labels{0, 0, 0, 1, 1, 1, 2, 2, 2},
      given{0, 0, 1, 1, 1, 1, 2, 0, 2};
  const Balanced found = balanced_accuracy(labels, given, 3);
  const Interval wanted = wilson({.correct = 7, .total = 9});
  EXPECT_NEAR(found.share, 7.0 / 9, 1e-12);
  EXPECT_NEAR(found.interval.low, wanted.low, 1e-12);
  EXPECT_NEAR(found.interval.high, wanted.high, 1e-12);
}

/// Three labels, a feature each under noise: found; in a random order: chance.
TEST(FoldProber, FindsWhatIsThereAndNothingElse) {
  constexpr std::size_t kInputs = 300, kWidth = 6;
  Rng rng(7, "test");
  std::vector<float> features;
  std::vector<std::string> labels;
  std::vector<std::uint64_t> hashes;
  for (std::size_t i = 0; i < kInputs; ++i) {
    const std::size_t label = i % 3;
    labels.push_back(std::to_string(label));
    hashes.push_back(rng.next_u64());
    for (std::size_t j = 0; j < kWidth; ++j)
      features.push_back(static_cast<float>(rng.normal() + (j == label ? 6.0 : 0.0)));
  }
  std::vector<const float*> rows;
  for (std::size_t i = 0; i < kInputs; ++i) rows.push_back(features.data() + i * kWidth);
  const LabelFolds folds = make_folds(labels, hashes);
  const FoldProber prober(folds, kWidth, rows);
  EXPECT_GE(balanced_accuracy(folds.label, prober.given(folds.label, 3), 3).share, 0.97);
  std::vector<std::size_t> other = folds.label;
  const Permutation order(Rng(8, "test"), kInputs);
  for (std::size_t i = 0; i < kInputs; ++i) other[i] = folds.label[order(i)];
  EXPECT_NEAR(balanced_accuracy(other, prober.given(other, 3), 3).share, 1.0 / 3, 0.1);
}

}  // namespace
}  // namespace heddle
