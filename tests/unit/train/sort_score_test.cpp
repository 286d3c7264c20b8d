// The score of a sortedness model against counts made by hand, and its ceilings against draws.
#include "heddle/eval/sort_score.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/eval/ceiling.hpp"
#include "heddle/record/tree.hpp"
#include "tests/support/print_json.hpp"

namespace heddle {
namespace {

using Labels = std::vector<std::int32_t>;
using Margins = std::vector<double>;

TEST(SortScore, CountsByHand) {
  const Margins margins{2.0, -1.0, 0.5, 0.7, -0.2, -3.0, 0.0, 0.1};
  const Labels labels{1, 0, 1, 0, 1, 0, 1, 0};
  const SortScore score = score_sorted({margins, labels}, {.threshold = 0, .twins = true});
  EXPECT_EQ(score.all, (Count{.correct = 4, .total = 8}));
  EXPECT_EQ(score.positives, (Count{.correct = 2, .total = 4}));  // a margin of 0 is not sorted
  EXPECT_EQ(score.negatives, (Count{.correct = 2, .total = 4}));
  EXPECT_EQ(score.pairs, (Count{.correct = 1, .total = 4}));
  EXPECT_DOUBLE_EQ(score.predicted_positive, 0.5);
  EXPECT_FALSE(score.constant);
  EXPECT_EQ(score.smallest_positive, -0.2);
  EXPECT_EQ(score.largest_negative, 0.7);
  EXPECT_EQ(score.interval.low, wilson(score.all).low);
  // 2.0 beats four negatives, 0.5 three, −0.2 two, 0.0 two.
  EXPECT_DOUBLE_EQ(score.auroc, 11.0 / 16);
}

TEST(SortScore, AurocIsTheNaiveCountOfPairs) {
  Rng rng(1, "sort_score_test");
  for (const std::size_t size : {2U, 17U, 200U}) {
    for (const std::uint64_t distinct : {1U, 3U, 1000U}) {
      Margins margins;
      Labels labels;
      for (std::size_t i = 0; i < size; ++i) {
        margins.push_back(static_cast<double>(rng.below(distinct)) - 1);
        labels.push_back(i < 2 ? static_cast<std::int32_t>(i) : rng.below(3) == 0 ? 1 : 0);
      }
      double won = 0, pairs = 0;
      for (std::size_t p = 0; p < size; ++p) {
        for (std::size_t n = 0; n < size; ++n) {
          if (labels[p] != 1 || labels[n] != 0) continue;
          won += margins[p] > margins[n] ? 1 : margins[p] == margins[n] ? 0.5 : 0;
          pairs += 1;
        }
      }
      EXPECT_NEAR(auroc_of({margins, labels}), won / pairs, 1e-12) << size << " " << distinct;
    }
  }
  EXPECT_EQ(auroc_of({Margins{1, 2}, Labels{1, 1}}), 0.5);
}

TEST(SortScore, ConstantIsOneAnswerForNinetyNinePercent) {
  Margins margins(1000, 1.0);
  Labels labels;
  for (int i = 0; i < 1000; ++i) labels.push_back(i % 2 == 0 ? 1 : 0);
  for (std::size_t i = 0; i < 10; ++i) margins[i] = -1;
  EXPECT_TRUE(score_sorted({margins, labels}).constant);
  margins[10] = -1;
  EXPECT_FALSE(score_sorted({margins, labels}).constant);
  for (double& margin : margins) margin = -2;
  const SortScore score = score_sorted({margins, labels});
  EXPECT_TRUE(score.constant);
  EXPECT_EQ(score.all.correct, 500);
}

TEST(SortScore, ThresholdMaximisesAccuracy) {
  // 0 already parts them.
  EXPECT_EQ(frozen_threshold({Margins{-1, 1}, Labels{0, 1}}), 0);
  // 0 lies within the best range, at its closed end.
  EXPECT_EQ(frozen_threshold({Margins{0, 1}, Labels{0, 1}}), 0);
  // All above 0: midway between the two that it parts.
  EXPECT_EQ(frozen_threshold({Margins{2, 3, 5, 6}, Labels{0, 0, 1, 1}}), 4);
  EXPECT_EQ(frozen_threshold({Margins{-2, -3, -5, -6}, Labels{1, 1, 0, 0}}), -4);
  // Two best ranges, [−8, −6) and [1, 3): the nearer one.
  EXPECT_EQ(frozen_threshold({Margins{-8, -6, 1, 3}, Labels{0, 1, 0, 1}}), 2);
  // Nothing to choose.
  EXPECT_EQ(frozen_threshold({Margins{5, 5}, Labels{0, 1}}), 0);
  EXPECT_EQ(frozen_threshold({Margins{}, Labels{}}), 0);
  // Everything is sorted, or nothing is.
  const double all = frozen_threshold({Margins{-5, -4}, Labels{1, 1}});
  EXPECT_LT(all, -5);
  EXPECT_EQ(frozen_threshold({Margins{4, 5}, Labels{0, 0}}), 5);
}

TEST(SortScore, NoThresholdIsBetter) {
  Rng rng(2, "sort_score_test");
  for (int time = 0; time < 50; ++time) {
    Margins margins;
    Labels labels;
    for (int i = 0; i < 30; ++i) {
      labels.push_back(rng.below(2) == 1 ? 1 : 0);
      margins.push_back(static_cast<double>(rng.below(40)) / 4 - 3 + labels.back());
    }
    const auto right = [&](double threshold) {
      return score_sorted({margins, labels}, {.threshold = threshold, .twins = false}).all.correct;
    };
    const std::int64_t best = right(frozen_threshold({margins, labels}));
    for (int step = -100; step <= 100; ++step) EXPECT_LE(right(step / 8.0), best);
  }
}

TEST(SortScore, BadAnswersAreRefused) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(score_sorted({Margins{1, 2}, Labels{1}}), ShapeError);
  EXPECT_THROW(score_sorted({Margins{1, none}, Labels{1, 0}}), Error);
  EXPECT_THROW(frozen_threshold({Margins{1, none}, Labels{1, 0}}), Error);
  EXPECT_THROW(score_sorted({Margins{1, 2}, Labels{0, 1}}, {.threshold = 0, .twins = true}), Error);
}

TEST(SortScore, ACellSaysEverything) {
  const SetSpec spec = as_reported(32, 1);
  const SortScore score = score_sorted({Margins{1, -1}, Labels{1, 0}});
  SequenceMakeup makeup;
  makeup.add(Sequence{1, 1, 2});
  makeup.add(Sequence{3, 2, 1});
  const Json tree = to_tree(cell_of(spec, score, makeup));
  EXPECT_EQ(tree.dump(),
            R"({"length":32,"kind":"swaps","delta":0,"values":"uniform","correct":2,"total":2,)"
            R"("low":)" +
                Json(score.interval.low).dump() +
                R"(,"high":1.0,"tpr":1.0,"tnr":1.0,"auroc":1.0,"predicted_positive":0.5,)"
                R"("constant":false,"threshold":0.0,"ceiling":-1.0,"pairs_correct":0,)"
                R"("pairs_total":0,"ties":0.5,"gap1":1.0,"descents":2.0})");
}

SetSpec spec_of(NegativeKind kind, Index length = 32) {
  SetSpec spec;
  spec.kind = kind;
  spec.length = length;
  spec.delta = kind == NegativeKind::dip ? 1 : 0;
  return spec;
}

TEST(Ceiling, SymmetryCosts) {
  for (std::size_t k = 0; k < kNegativeKinds; ++k) {
    const auto kind = static_cast<NegativeKind>(k);
    const SetSpec spec = spec_of(kind);
    CeilingModel bag{.symmetric_direction = true};
    EXPECT_EQ(ceiling_of(bag, spec), kind == NegativeKind::dip ? kNoCeiling : 0.5);
    bag.symmetric_pooling = false;
    EXPECT_EQ(ceiling_of(bag, spec), kNoCeiling);
    CeilingModel bias{.position = "alibi", .symmetric_direction = true};
    EXPECT_EQ(ceiling_of(bias, spec), kind == NegativeKind::reverse ? 0.5 : kNoCeiling);
    bias.symmetric_direction = false;
    EXPECT_EQ(ceiling_of(bias, spec), kNoCeiling);
    const CeilingModel clamped{.position = "learned", .table = 16};
    EXPECT_EQ(ceiling_of(clamped, spec) != kNoCeiling, kind == NegativeKind::adjacent);
  }
}

TEST(Ceiling, AClampedTableSeesTheFirstPlaces) {
  const CeilingModel clamped{.position = "learned", .table = 16};
  EXPECT_EQ(ceiling_of(clamped, spec_of(NegativeKind::adjacent, 16)), kNoCeiling);
  EXPECT_NEAR(ceiling_of(clamped, spec_of(NegativeKind::adjacent, 256)), 0.53, 0.005);
  const CeilingModel shifted{.position = "learned", .table = 17, .front = 1};
  EXPECT_EQ(ceiling_of(shifted, spec_of(NegativeKind::adjacent, 64)),
            ceiling_of(clamped, spec_of(NegativeKind::adjacent, 64)));
  EXPECT_EQ(seen_swaps(40, 1, ValueKind::uniform), 0);
  // Every swap is somewhere: all places but the last pair, and that one by mirror symmetry the
  // first, add up to 1.
  for (const ValueKind values : {ValueKind::uniform, ValueKind::windowed, ValueKind::mixed})
    for (const Index length : {3, 10, 60})
      EXPECT_NEAR(seen_swaps(length, length - 1, values) + seen_swaps(length, 2, values), 1, 1e-9);
}

/// The share of a set's negatives whose swapped pair begins before place table − 1.
double seen_in_draws(Index length, Index table, ValueKind values) {
  SetSpec spec = spec_of(NegativeKind::adjacent, length);
  spec.values = values;
  spec.count = 8000;
  const SortedSet set(spec);
  Count seen;
  Sequence negative(to_size(length));
  for (Index index = 1; index < set.size(); index += 2) {
    set.draw(index, negative);
    seen.add(std::ranges::is_sorted_until(negative) - negative.begin() - 1 <= table - 2);
  }
  return seen.share();
}

TEST(Ceiling, IsWhatTheDrawsSay) {
  for (const ValueKind values : {ValueKind::uniform, ValueKind::windowed, ValueKind::mixed}) {
    for (const Index length : {10, 40, 256}) {
      const double share = seen_swaps(length, 6, values);
      const double spread = std::sqrt(share * (1 - share) / 4000);
      EXPECT_NEAR(seen_in_draws(length, 6, values), share, 4 * spread)
          << name_of(values) << " " << length;
    }
  }
}

}  // namespace
}  // namespace heddle
