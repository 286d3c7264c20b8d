// Patching: identities that hold for any weights, names, and what is refused.
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/lens/addition/carry_patching.hpp"
#include "heddle/lens/addition/carry_path.hpp"
#include "heddle/lens/stats/bootstrap.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/task/addition/minimal_pairs.hpp"
#include "tests/support/planted.hpp"
#include "tests/support/questions.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

Config two_layers(DigitOrder order = DigitOrder::most) {
  Config config = tiny_config();
  config.task.digits = 2;
  config.task.order = order;
  config.model.encoder_layers = config.model.decoder_layers = 2;
  return config;
}

Member perturbed_for_patch(const Config& config) {
  Member member = make_member(config);
  perturb(member.weights);
  member.weights.pack();
  return member;
}

/// Every place there is: taps and heads, at once and position by position.
std::vector<Place> all_places(const Member& member, const EncodedQuestions& set) {
  std::vector<Place> places;
  const auto add = [&](Place place) {
    const Index positions = positions_at(member, set, place.tap);
    for (place.position = -1; place.position < positions; ++place.position) places.push_back(place);
  };
  for (const TapId tap : stream_taps(member))
    add({.name = member.model->taps()[tap].path, .tap = tap});
  for (const Head& head : heads_of(member))
    add({.name = head.name, .tap = head.z, .head = head.index});
  return places;
}

/// Logits [problem, position, vocabulary] of the intact member, then of every variant.
std::vector<std::vector<float>> logits_of(const Member& member, const EncodedQuestions& set,
                                          std::span<const Variant> variants) {
  Team team(2);
  const auto row = to_size(set.target_length * kVocabulary);
  std::vector<std::vector<float>> all(variants.size() + 1,
                                      std::vector<float>(row * to_size(set.size)));
  run_variants(member, set, variants, team,
               [&](int variant, const ProblemBlock& block, const Tensor& logits) {
                 std::ranges::copy(logits.flat<float>(), all[to_size(variant + 1)].begin() +
                                                             block.first * static_cast<Index>(row));
               });
  return all;
}

TEST(Patch, OwnValuesChangeNoBit) {
  const Member member = perturbed_for_patch(two_layers());
  const EncodedQuestions set = rows_of(member, some_problems(2, 150));
  const std::vector<Place> places = all_places(member, set);
  std::vector<TapId> taps;
  for (const Place& place : places) taps.push_back(place.tap);
  Team team(2);
  const TapValues own(member, set, taps, team);
  std::vector<Variant> variants;
  for (const Place& place : places) variants.push_back(transplant(place, own));
  const auto logits = logits_of(member, set, variants);
  for (std::size_t i = 0; i < places.size(); ++i)
    EXPECT_EQ(logits[i + 1], logits[0]) << places[i].name << ' ' << places[i].position;
}

/// Whatever another problem puts in: all of the last layer's stream is its whole answer; one
/// position of it changes the logits there and nowhere else.
TEST(Patch, TheLastLayerIsTheAnswer) {
  const Member member = perturbed_for_patch(two_layers());
  const std::vector<Problem> problems = some_problems(2, 300);
  const EncodedQuestions set = rows_of(member, std::span(problems).first(150)),
                         other = rows_of(member, std::span(problems).last(150));
  const TapId last = stream_taps(member).back();
  Team team(2);
  const TapValues donor(member, other, std::vector{last}, team);
  const std::vector<Variant> variants{
      transplant({.name = "all", .tap = last}, donor),
      transplant({.name = "one", .tap = last, .head = -1, .position = 2}, donor)};
  const auto logits = logits_of(member, set, variants), others = logits_of(member, other, {});
  EXPECT_EQ(logits[1], others[0]);
  const auto positions = to_size(set.target_length);
  for (std::size_t i = 0; i < logits[0].size(); ++i) {
    const bool there = i / kVocabulary % positions == 2;
    ASSERT_EQ(logits[2][i], (there ? others : logits)[0][i]) << i;
  }
}

/// A head's place is its own slice: together they are the module.
TEST(Patch, AHeadIsItsSlice) {
  const Member member = perturbed_for_patch(two_layers());
  const EncodedQuestions set = rows_of(member, some_problems(2, 20));
  const Head head = heads_of(member)[1];
  Team team(1);
  const TapValues values(member, set, std::vector{head.z}, team);
  const HeadOutputs outputs(member, set, team);
  for (Index position = 0; position < 5; ++position) {
    const auto slice = values.at({head.name, head.z, head.index, position}, 7);
    ASSERT_EQ(slice.size(), 4U);
    EXPECT_EQ(std::memcmp(slice.data(), outputs.at(head, 7, position), 4 * sizeof(float)), 0);
  }
}

TEST(Patch, WholeRunsAreOneExactlyAndBitsDoNotDependOnThreads) {
  const Member member = planted_adder();
  std::vector<std::string> texts;
  for (const int threads : {1, 2, 3}) {
    Team team(threads);
    const Patching patching = patch_member(member, {.pairs = 70}, team);
    texts.push_back(to_tree(patching).dump());
    std::size_t last = 0;
    for (const PatchEffect& effect : patching.stream) {
      if (effect.place != "decoder.0.resid_after") continue;
      ++last;
      EXPECT_EQ(effect.effect, 1);
      EXPECT_EQ(effect.low, 1);
      EXPECT_EQ(effect.high, 1);
    }
    EXPECT_EQ(last, 4U);
  }
  EXPECT_EQ(texts[1], texts[0]);
  EXPECT_EQ(texts[2], texts[0]);
}

/// An untrained member moves its logits from problem to problem, but to no side: nothing to share.
/// Progress counts every pass, one thread at a time, and whoever throws in it ends the whole.
TEST(Variants, ProgressCountsEveryPassAndMayEndThem) {
  const Member member = perturbed_for_patch(two_layers());
  const EncodedQuestions set = rows_of(member, some_problems(2, 300));
  const TapId tap = stream_taps(member).front();
  Team two(2);
  const TapValues own(member, set, std::vector{tap}, two);
  const Place place{.name = member.model->taps()[tap].path, .tap = tap};
  const std::vector<Variant> variants(5, transplant(place, own));
  const auto ignore = [](int, const ProblemBlock&, const Tensor&) {};
  const Index passes = (set.size + 124) / 125 * 6;  // blocks, the intact member and five variants
  for (const int threads : {1, 3}) {
    Team team(threads);
    std::vector<Index> seen;
    run_variants(member, set, variants, team, ignore, [&](Index done, Index total) {
      EXPECT_EQ(total, passes);
      seen.push_back(done);
    });
    ASSERT_EQ(std::ssize(seen), passes);
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], static_cast<Index>(i) + 1);
    Index calls = 0;
    const auto stop = [&](Index, Index) {
      ++calls;
      throw Error("stop");
    };
    EXPECT_THROW(run_variants(member, set, variants, team, ignore, stop), Error);
    EXPECT_LE(calls, threads);
  }
}

TEST(Patch, WithoutADifferenceThereIsNoEffect) {
  const Member member = make_member(two_layers());
  Team team(1);
  const Patching patching = patch_member(member, {.pairs = 5}, team);
  ASSERT_FALSE(patching.heads.empty());
  for (const PatchSwing& swing : patching.swings) EXPECT_NE(swing.after, swing.before);
  for (const PatchEffect& effect : patching.heads) EXPECT_TRUE(std::isnan(effect.effect));
  EXPECT_TRUE(patching.places.empty());
  EXPECT_TRUE(patching.path.empty());
}

/// A step of a head gives what was measured at its token, not the effect over all positions.
TEST(Patch, ThePathOfAHeadSaysWhatItMovesAtItsToken) {
  const Member member = planted_adder();
  const auto effect = [](const char* direction, Index position, const char* token, double value) {
    PatchEffect one;
    one.direction = direction;
    one.place = "encoder.0.self.head.1";
    one.position = position;
    one.token = token;
    one.effect = value;
    return one;
  };
  Patching patching;
  patching.swings.resize(1);
  patching.heads = {effect("on", -1, "", 0.38), effect("off", -1, "", 0.32)};
  patching.places = {effect("on", 1, "a0", 0.10), effect("on", 4, "b0", 0.235),
                     effect("off", 1, "a0", 0.08), effect("off", 4, "b0", 0.19)};
  EXPECT_EQ(
      carry_paths(member, patching, 0.1),
      (std::vector<std::string>{"0|head|encoder.0.self.head.1|b0|0.21", "0|digit|logits|s1|1.00"}));
  patching.heads[0].effect = patching.heads[1].effect = 0.05;
  EXPECT_TRUE(carry_paths(member, patching, 0.1).empty()) << "below the threshold";
}

/// Only what the digit can see.
TEST(Patch, PlacesThatTheDigitCannotSeeAreLeftOut) {
  for (const DigitOrder order : {DigitOrder::most, DigitOrder::least}) {
    const Member member = make_member(two_layers(order));
    Team team(1);
    const Patching patching =
        patch_member(member, {.pairs = 3, .columns = {0}, .heads = false}, team);
    const Index read = 1;  // s1 is the second digit either way
    EXPECT_TRUE(patching.heads.empty());
    for (const PatchEffect& effect : patching.stream) {
      EXPECT_EQ(effect.column, 0);
      EXPECT_TRUE(effect.place != "encoder.embed.out" || effect.token == "a0" ||
                  effect.token == "b0");
      EXPECT_TRUE(!effect.place.starts_with("decoder") || effect.position <= read);
      EXPECT_TRUE(effect.place != "decoder.1.resid_after" || effect.position == read);
    }
    // two digits, five positions in two layers, two positions, one; two directions
    EXPECT_EQ(patching.stream.size(), 2U * (2 + 10 + 2 + 1));
  }
}

TEST(Patch, PositionsHaveNames) {
  TaskConfig task;
  const auto names = [&](Stream stream) {
    std::string text;
    for (const std::string& name : position_names(shape_of(task), stream)) text += name + " ";
    return text;
  };
  EXPECT_EQ(names(Stream::source), "a2 a1 a0 + b2 b1 b0 ");
  EXPECT_EQ(names(Stream::target), "BOS s3 s2 s1 s0 ");
  task.order = DigitOrder::least;
  EXPECT_EQ(names(Stream::target), "BOS s0 s1 s2 s3 ");
  task.order = DigitOrder::most;
  task.bos = BosKind::none;
  EXPECT_EQ(names(Stream::target), "s3 s2 s1 ");
  EXPECT_EQ(patchable_columns(shape_of(task)), (std::vector<Index>{0, 1}));
}

TEST(Patch, WhatCannotBeIsRefused) {
  const Member member = make_member(two_layers());
  Team team(1);
  EXPECT_THROW(patch_member(member, {.pairs = 1}, team), UsageError);
  EXPECT_THROW(patch_member(member, {.pairs = 5, .columns = {2}}, team), UsageError);
}

TEST(Bootstrap, OfProportionalValuesIsExact) {
  const std::vector<double> bottom{1, 5, 2, 9, 4}, top{2, 10, 4, 18, 8};
  const Interval interval = Bootstrap(Rng(1, "bootstrap"), 5).ratio(top, bottom);
  EXPECT_EQ(interval.low, 2);
  EXPECT_EQ(interval.high, 2);
  EXPECT_THROW(Bootstrap(Rng(1, "bootstrap"), 0), UsageError);
}

/// Over ones it is the interval of a mean: x̄ ± 1.96 s/√n.
TEST(Bootstrap, OverOnesIsThatOfAMean) {
  constexpr std::size_t kItems = 400;
  Rng rng(2, "values");
  std::vector<double> top, ones(kItems, 1.0);
  for (std::size_t i = 0; i < kItems; ++i) top.push_back(3 + 2 * rng.normal());
  const Interval drawn = Bootstrap(Rng(1, "bootstrap"), kItems, 2000).ratio(top, ones);
  const Interval student = t_interval(top);
  EXPECT_NEAR(drawn.low, student.low, 0.03);
  EXPECT_NEAR(drawn.high, student.high, 0.03);
}

}  // namespace
}  // namespace heddle::testing
