// The sorter built by hand: right on every twin, as sure as its formula says, and wrong where the
// formula says so.
#include "heddle/model/classifier/hand_built.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/eval/sortedness.hpp"
#include "heddle/model/save_member.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

/// The margin of a certain answer is 10; all of them lie within 0.01 of it. What is left of that is
/// mostly what the layers add to a row that is normed.
constexpr double kSure = 9.99;

/// The answers to one set: the smallest margin of a sorted sequence, the largest of another.
struct Answers {
  Count all;
  double sorted = 0, unsorted = 0;
};

Answers answers_to(const Member& member, const SetSpec& spec) {
  Team team(2);
  const std::vector<double> margins = margins_of(exam_setup(member, team), SortedExam(spec));
  Answers answers{.all = {}, .sorted = margins[0], .unsorted = margins[1]};
  for (std::size_t i = 0; i < margins.size(); ++i) {
    const bool sorted = i % 2 == 0;
    answers.all.add((margins[i] > 0) == sorted);
    double& worst = sorted ? answers.sorted : answers.unsorted;
    worst = sorted ? std::min(worst, margins[i]) : std::max(worst, margins[i]);
  }
  return answers;
}

void expect_sure(const SetSpec& spec) {
  SCOPED_TRACE(fmt::format("{} at {}", name_of(spec.kind), spec.length));
  const Answers answers = answers_to(hand_built_sorter(), spec);
  EXPECT_EQ(answers.all.correct, spec.count);
  EXPECT_GT(answers.sorted, kSure);
  EXPECT_LT(answers.unsorted, -kSure);
}

/// The answer to one sequence.
double margin_of(const Member& member, const Sequence& values) {
  Team team(1);
  const std::int32_t label = 1;
  Questions one;
  one.add(values, std::span(&label, 1));
  return margins_of(exam_setup(member, team), *exam_of(one))[0];
}

Sequence equal_values(Index count, std::int32_t value) {
  return Sequence(to_size(count), value);
}

TEST(HandBuilt, TwinsInTheTrainingRange) {
  expect_sure({.length = 16, .kind = NegativeKind::adjacent, .count = 20'000});
}

TEST(HandBuilt, TwinsOf256Slow) {
  expect_sure({.length = 256, .kind = NegativeKind::adjacent, .count = 20'000});
}

TEST(HandBuilt, TwinsOf4096Slow) {
  expect_sure({.length = 4096, .kind = NegativeKind::adjacent, .count = 400});
}

TEST(HandBuilt, EveryKindAt256) {
  for (const NegativeKind kind : {NegativeKind::swaps, NegativeKind::shuffle, NegativeKind::distant,
                                  NegativeKind::reverse, NegativeKind::rotate})
    expect_sure({.length = 256, .kind = kind, .count = 500});
  expect_sure({.length = 256, .kind = NegativeKind::dip, .delta = 1, .count = 500});
}

/// Narrow windows: most neighbours are equal.
TEST(HandBuilt, WindowedValues) {
  for (const NegativeKind kind : {NegativeKind::adjacent, NegativeKind::rotate})
    expect_sure({.length = 256, .kind = kind, .values = ValueKind::windowed, .count = 1'000});
}

/// Every pair of values, at the ends of a sequence of two and far apart in a longer one.
TEST(HandBuilt, EveryPairOfValues) {
  const Member member = hand_built_sorter();
  Team team(2);
  std::vector<LabelledSequence> all;
  for (std::int32_t first = 0; first < kValueCount; ++first)
    for (std::int32_t last = 0; last < kValueCount; ++last) {
      all.push_back({.values = {first, last}, .sorted = first <= last});
      Sequence apart = equal_values(40, first);
      apart.back() = last;
      all.push_back({.values = std::move(apart), .sorted = first <= last});
    }
  Questions questions;
  for (const LabelledSequence& each : all) {
    const std::int32_t label = each.sorted ? 1 : 0;
    questions.add(each.values, std::span(&label, 1));
  }
  const std::vector<double> margins = margins_of(exam_setup(member, team), *exam_of(questions));
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_GT(all[i].sorted ? margins[i] : -margins[i], kSure) << sequence_text(all[i].values);
}

/// v and a of the formula, in double, for equal values: CLS is a token that has no tie but itself.
double expected_margin(const SorterSharpness& sharpness, Index values) {
  const double leak = std::exp(-sharpness.order / 2);
  const auto weight = [&](double ties) {
    return std::exp(sharpness.verdict * (ties * leak / (1 + ties * leak) - 0.5));
  };
  double tokens = weight(1);
  for (Index i = 1; i <= values; ++i) tokens += weight(static_cast<double>(i));
  return 10 * (1 - 2 * tokens / (1 + tokens));
}

/// The whole arithmetic against its formula, where neither answer is certain.
TEST(HandBuilt, LeaksAsMuchAsItsFormulaSays) {
  constexpr SorterSharpness kFaint{.order = 10, .verdict = 10};
  const Member member = hand_built_sorter(kFaint);
  for (const Index length : {1, 5, 20, 40, 80})
    for (const std::int32_t value : {0, 50, 99})
      EXPECT_NEAR(margin_of(member, equal_values(length, value)), expected_margin(kFaint, length),
                  0.01)
          << length << " times " << value;
}

TEST(HandBuilt, IsSureUpToTheLengthItStates) {
  EXPECT_GT(guaranteed_length(), 30'000'000);
  for (const SorterSharpness& sharpness :
       {SorterSharpness{.order = 10, .verdict = 20}, SorterSharpness{.order = 12, .verdict = 12}}) {
    const Member member = hand_built_sorter(sharpness);
    const Index longest = guaranteed_length(sharpness);
    EXPECT_GT(longest, 40);
    EXPECT_GT(margin_of(member, equal_values(longest - 1, 7)), 0) << longest;
    EXPECT_LT(margin_of(member, equal_values(2 * longest, 7)), 0) << longest;
  }
}

/// What breaks it: too blunt, the ties of a long sorted sequence add up to a larger value.
TEST(HandBuilt, BluntScoresCallLongSequencesUnsorted) {
  const Member blunt = hand_built_sorter({.order = 10, .verdict = 20});
  const auto share = [&](const SetSpec& spec) { return answers_to(blunt, spec).all.share(); };
  EXPECT_EQ(share({.length = 16, .count = 400}), 1);
  // Only narrow windows have that many ties.
  EXPECT_LT(share({.length = 256, .values = ValueKind::windowed, .count = 400}), 1);
  EXPECT_EQ(share({.length = 4096, .count = 40}), 0.5);  // all are unsorted to it
}

TEST(HandBuilt, KeepsItsBitsOnDisk) {
  const TempFolder folder;
  save_hand_built(folder / "run");
  const Member made = hand_built_sorter(), read = load_member(folder / "run");
  EXPECT_TRUE(made.config == read.config);
  EXPECT_TRUE(
      std::ranges::equal(made.weights.flat().flat<float>(), read.weights.flat().flat<float>()));
  const Sequence values{3, 5, 5, 4};
  EXPECT_EQ(margin_of(made, values), margin_of(read, values));
  EXPECT_TRUE(read_safetensors(folder / "run/model.safetensors").metadata.contains(kBuiltByHand));
}

}  // namespace
}  // namespace heddle::testing
