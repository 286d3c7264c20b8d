// The explanations of sortedness on tiny members whose numbers are known beforehand.
#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "heddle/eval/ceiling.hpp"
#include "heddle/lens/explain/explain.hpp"
#include "heddle/lens/explain/parts.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle {
namespace {

constexpr double kHalf = 0.5;

Config tiny_sorter(PositionKind position, PoolingSetting pooling) {
  Config config = default_config(TaskKind::sortedness);
  config.model.d_model = 8;
  config.model.d_ff = 12;
  config.model.heads = 2;
  config.model.layers = 1;
  config.model.position = position;
  config.model.pooling = pooling;
  config.model.direction = DirectionKind::both;
  return config;
}

Member tiny_member(const Config& config) {
  Member member = make_member(config);
  testing::perturb(member.weights);
  member.weights.pack();
  return member;
}

/// Sets every number of a weight to value(row, column).
void set_weight(Member& member, std::string_view path,
                const std::function<double(Index, Index)>& value) {
  const Tensor tensor = weight_at(member.weights, path);
  const Index columns = tensor.dim(-1);
  for (Index i = 0; i < tensor.size(); ++i)
    tensor.write_shared<float>()[i] = static_cast<float>(value(i / columns, i % columns));
  member.weights.pack();
}

double nothing(Index /*row*/, Index /*column*/) {
  return 0;
}

ExplainMember asked(const Member& member, std::string recipe = "recipe", std::uint64_t seed = 1) {
  return {.recipe = std::move(recipe), .seed = seed, .member = member};
}

ExplainScale small_scale() {
  return {.lengths = {16, 32, 64}, .pairs = 3, .map_length_short = 16, .map_length_long = 64};
}

SortExplanation only(MaybeExplained made) {
  check<UsageError>(made.has_value(), "nothing was explained");
  return std::move(*made);
}

TEST(SortExplain, RowsOfSinusoidsDependOnTheirDistance) {
  const Member member = tiny_member(tiny_sorter(PositionKind::sinusoidal, PoolingSetting::mean));
  const ExplainMember one = asked(member);
  const SortExplanation made = only(explain_identity({&one, 1}, small_scale()));
  const SortCurve& cosines = made.predicted.at(0);
  EXPECT_DOUBLE_EQ(cosines.y.at(0), 4);
  EXPECT_NEAR(cosines.y.at(1), std::cos(1.0) + std::cos(0.1) + std::cos(0.01) + std::cos(0.001),
              1e-14);
  ASSERT_EQ(made.measured.size(), 3U);
  for (const SortCurve& curve : made.measured)
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      EXPECT_NEAR(curve.y[i], cosines.y[i], 1e-12) << curve.label << " at " << curve.x[i];
  EXPECT_EQ(made.maps.at(0).values.at(0), 4);
}

TEST(SortExplain, HeadsKeepTheIdentityOnlyWithSpecialWeights) {
  Config config = tiny_sorter(PositionKind::sinusoidal, PoolingSetting::mean);
  config.model.heads = 1;
  config.model.norm = NormKind::post;  // nothing between the rows and the first attention
  Member member = tiny_member(config);
  const ExplainMember one = asked(member);
  const SortCurve any = only(explain_identity_heads({&one, 1}, small_scale())).measured.at(0);
  EXPECT_GT(any.high.at(5) - any.low.at(5), 0.1);

  for (const char* path : {"encoder.0.self.w_q", "encoder.0.self.w_k"})
    set_weight(member, path, [](Index i, Index j) { return i == j ? 2.0 : 0.0; });
  const SortExplanation made = only(explain_identity_heads({&one, 1}, small_scale()));
  const SortExplanation rows = only(explain_identity({&one, 1}, small_scale()));
  const SortCurve& special = made.measured.at(0);
  for (std::size_t i = 0; i < special.x.size(); ++i) {
    EXPECT_NEAR(special.high[i], special.low[i], 1e-12);
    EXPECT_NEAR(special.y[i], 4 * rows.predicted.at(0).y[i] / std::sqrt(8.0), 1e-12);
    EXPECT_NEAR(made.predicted.at(0).y[i], special.y[i], 1e-12);
  }
}

TEST(SortExplain, PositionalLogitsAreTheModelsOwn) {
  Config config = tiny_sorter(PositionKind::sinusoidal, PoolingSetting::mean);
  config.model.norm = NormKind::post;
  Member member = tiny_member(config);
  for (const char* path : {"encoder.embed.token", "encoder.0.self.b_q"})
    set_weight(member, path, nothing);  // only places are left
  const ExplainMember one = asked(member);
  const SortMap map = only(explain_identity_heads({&one, 1}, small_scale())).maps.at(0);
  const Index head = map.label.starts_with("encoder.0.self.head.1") ? 1 : 0;
  Questions any;
  any.add(Sequence(32, 5), std::vector<std::int32_t>{1});
  const Tensor scores = seen_at(member, any, "encoder.0.self.scores");
  for (Index i = 0; i < 32 * 32; ++i)
    EXPECT_NEAR(map.values[to_size(i)],
                static_cast<double>(scores.data<float>()[head * 32 * 32 + i]), 1e-4);
}

SortCell twin_cell(std::int64_t length, std::int64_t correct) {
  SortCell cell;
  cell.length = length;
  cell.kind = "adjacent";
  cell.values = "windowed";
  cell.correct = correct;
  cell.total = 100;
  cell.pairs_total = 50;
  return cell;
}

TEST(SortExplain, ClampingPredictsTheCeiling) {
  const Config config = tiny_sorter(PositionKind::learned, PoolingSetting::mean);
  const Member member = tiny_member(config);
  const std::vector<SortCell> first{twin_cell(256, 54), twin_cell(16, 100)};
  const std::vector<SortCell> second{twin_cell(16, 96), twin_cell(256, 52)};
  std::vector<ExplainMember> members{asked(member), asked(member, "recipe", 2)};
  members[0].cells = first;
  members[1].cells = second;
  const SortExplanation made = only(explain_clamping(members, small_scale()));
  const SetSpec far{.length = 256, .kind = NegativeKind::adjacent, .values = ValueKind::windowed};
  const CeilingModel clamped{.position = "learned", .table = 16};
  EXPECT_EQ(made.predicted.at(0).x, (std::vector<double>{16, 256}));
  EXPECT_EQ(made.predicted.at(0).y, (std::vector<double>{1, ceiling_of(clamped, far)}));
  EXPECT_GT(made.predicted.at(0).y.at(1), kHalf);
  EXPECT_EQ(made.measured.at(0).y, (std::vector<double>{0.98, 0.53}));
  EXPECT_EQ(made.measured.at(0).low, (std::vector<double>{0.96, 0.52}));
  EXPECT_EQ(made.measured.at(0).high, (std::vector<double>{1, 0.54}));

  const Member reader = tiny_member(tiny_sorter(PositionKind::learned, PoolingSetting::multi));
  ExplainMember multi = asked(reader);
  multi.cells = first;
  EXPECT_FALSE(explain_clamping({&multi, 1}, small_scale()));  // it reads the order itself
}

TEST(SortExplain, UniformAttentionDispersesAsOneOverN) {
  Member member = tiny_member(tiny_sorter(PositionKind::sinusoidal, PoolingSetting::mean));
  set_weight(member, "encoder.0.self.w_k", nothing);  // all scores are 0
  const ExplainMember one = asked(member);
  const SortExplanation made = only(explain_dispersion({&one, 1}, small_scale()));
  ASSERT_EQ(made.measured.at(0).x, (std::vector<double>{16, 32, 64}));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(made.measured[0].y[i], 1 / made.measured[0].x[i], 1e-6);
    EXPECT_NEAR(made.predicted.at(0).y[i], 1 / made.measured[0].x[i], 1e-6);
  }
}

TEST(SortExplain, DispersionFollowsFromTheFirstLength) {
  for (const NormaliserKind kind : {NormaliserKind::softmax, NormaliserKind::log_n}) {
    Config config = tiny_sorter(PositionKind::none, PoolingSetting::mean);
    config.model.normaliser = kind;
    const Member member = tiny_member(config);
    const ExplainMember one = asked(member);
    const SortExplanation made = only(explain_dispersion({&one, 1}, small_scale()));
    const double w = made.measured.at(0).y.at(0);
    ASSERT_GT(w, 2.0 / 16);  // a margin that is worth the name
    const double margin = std::log(15 * w / (1 - w));
    const double grown =
        kind == NormaliserKind::log_n ? margin * std::log(64.0) / std::log(16.0) : margin;
    EXPECT_NEAR(made.predicted.at(0).y.at(0), w, 1e-12);
    EXPECT_NEAR(made.predicted.at(0).y.at(2), 1 / (1 + 63 * std::exp(-grown)), 1e-12);
  }
}

/// Nothing but embedding, final norm and pooling is left of it.
Member bare_member(PositionKind position, PoolingSetting pooling) {
  Member member = tiny_member(tiny_sorter(position, pooling));
  for (const char* path : {"encoder.0.self.w_o", "encoder.0.mlp.w_out"})
    set_weight(member, path, nothing);
  return member;
}

TEST(SortExplain, AMeanDilutesExactlyAndAMaximumDoesNot) {
  const Member mean = bare_member(PositionKind::learned, PoolingSetting::mean);
  const Member max = bare_member(PositionKind::learned, PoolingSetting::max);
  const std::vector<ExplainMember> members{asked(mean, "mean"), asked(max, "max")};
  const SortExplanation made = only(explain_dilution(members, small_scale()));
  EXPECT_EQ(made.predicted.at(0).y, (std::vector<double>{1, kHalf, kHalf * kHalf}));
  ASSERT_EQ(made.measured.size(), 2U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(made.measured[0].y[i], made.predicted[0].y[i], 1e-4);
  EXPECT_EQ(made.measured[1].y.at(1), made.measured[1].y.at(2));
  EXPECT_GT(made.measured[1].y.at(2), kHalf);
}

TEST(SortExplain, ABagOfTokensHasNothingToDilute) {
  const Member bag = bare_member(PositionKind::none, PoolingSetting::mean);
  const ExplainMember one = asked(bag);
  EXPECT_FALSE(explain_dilution({&one, 1}, small_scale()));
}

TEST(SortExplain, ALearnedTableTellsHowFarItsRowsCame) {
  Config config = tiny_sorter(PositionKind::learned, PoolingSetting::mean);
  config.model.position_past_end = PastEndKind::untrained;
  const Member before = tiny_member(config);
  Member after = tiny_member(config);
  const Tensor old = weight_at(before.weights, "encoder.embed.position");
  set_weight(after, "encoder.embed.position", [&](Index i, Index j) {
    const double moved = i != 3 ? 0 : j == 0 ? 3 : j == 1 ? 4 : 0;
    return static_cast<double>(old.data<float>()[i * 8 + j]) + moved;
  });
  ExplainMember one = asked(after);
  one.start = &before.weights;
  const SortExplanation made = only(explain_embedding({&one, 1}, small_scale()));
  const SortCurve& came = made.measured.at(0);
  ASSERT_EQ(came.y.size(), 64U);
  for (std::size_t i = 0; i < came.y.size(); ++i) EXPECT_NEAR(came.y[i], i == 3 ? 5 : 0, 1e-6);
  EXPECT_EQ(made.predicted.at(0).x.front(), 16);
  EXPECT_EQ(made.predicted.at(0).y, std::vector<double>(48, 0.0));
  EXPECT_EQ(made.maps.at(0).trained_rows, 16);
  EXPECT_EQ(made.maps.at(0).values.size(), 64U * 8);
  EXPECT_EQ(made.maps.at(1).values.at(65), 1);  // a row is like itself
}

TEST(SortExplain, NeighboursInALearnedTable) {
  Member member = tiny_member(tiny_sorter(PositionKind::learned, PoolingSetting::mean));
  // Rows 0 and 1 alike but for their size, 2 at a right angle to 1, 3 opposite to 2.
  set_weight(member, "encoder.embed.position", [](Index i, Index j) {
    if (i < 2) return j == 0 ? static_cast<double>(i + 1) : 0.0;
    return j == 1 ? (i == 2 ? 1.0 : -1.0) : 0.0;
  });
  const ExplainMember one = asked(member);
  const SortExplanation made = only(explain_smoothness({&one, 1}, small_scale()));
  ASSERT_EQ(made.measured.at(0).y.size(), 15U);
  EXPECT_NEAR(made.measured[0].y[0], 1, 1e-12);
  EXPECT_NEAR(made.measured[0].y[1], 0, 1e-12);
  EXPECT_NEAR(made.measured[0].y[2], -1, 1e-12);
}

TEST(SortExplain, BiasesStandWhereAHeadLooks) {
  Config config = tiny_sorter(PositionKind::alibi, PoolingSetting::max);
  config.model.direction = DirectionKind::split;
  Member member = tiny_member(config);
  set_weight(member, "encoder.0.self.slopes",
             [](Index, Index head) { return std::log(head == 0 ? 1.0 : kHalf); });
  const ExplainMember one = asked(member);
  const SortExplanation made = only(explain_encodings({&one, 1}, small_scale()));
  ASSERT_EQ(made.measured.size(), 2U);
  EXPECT_EQ(made.measured[0].x.front(), 0);
  EXPECT_EQ(made.measured[0].x.back(), 16);
  EXPECT_NEAR(made.measured[0].y.at(3), -3, 1e-6);
  EXPECT_EQ(made.measured[1].x.front(), -16);
  EXPECT_EQ(made.measured[1].x.back(), 0);
  EXPECT_NEAR(made.measured[1].y.at(0), -8, 1e-5);
  EXPECT_TRUE(made.maps.empty());
}

TEST(SortExplain, AttentionIsShownNearAndFar) {
  Config config = tiny_sorter(PositionKind::alibi, PoolingSetting::max);
  config.model.direction = DirectionKind::split;
  const Member member = tiny_member(config);
  const ExplainMember one = asked(member);
  const SortExplanation made = only(explain_attention({&one, 1}, small_scale()));
  ASSERT_EQ(made.maps.size(), 4U);
  EXPECT_EQ(made.maps[0].row_names.size(), 16U);
  EXPECT_TRUE(made.maps[2].row_names.empty());
  EXPECT_EQ(made.maps[2].values.size(), 64U * 64);
  EXPECT_NE(made.maps[0].label, made.maps[1].label);
  for (const SortMap& map : made.maps) {
    double first_row = 0;
    for (Index key = 0; key < map.columns; ++key) first_row += map.values[to_size(key)];
    EXPECT_NEAR(first_row, 1, 5e-5 * static_cast<double>(map.columns));
  }
  ASSERT_EQ(made.measured.size(), 2U);
  for (const SortCurve& curve : made.measured) {
    ASSERT_EQ(curve.x.size(), 17U);
    const bool back = curve.label.find(".head.0 ") != std::string::npos;  // sees Δ ≥ 0 only
    EXPECT_EQ(curve.y.at(back ? 7 : 9), 0) << curve.label;
    EXPECT_GT(curve.y.at(back ? 9 : 7), 0) << curve.label;
  }
}

TEST(SortExplain, TiesFollowFromTheDraw) {
  const SortExplanation made = only(explain_ties({}, {.lengths = {2, 16, 256}, .pairs = 1}));
  ASSERT_EQ(made.predicted.size(), 4U);
  const SortCurve &ties = made.predicted[0], &gaps = made.predicted[1];
  EXPECT_NEAR(ties.y[0], 0, 1e-12);          // two values that differ
  EXPECT_NEAR(gaps.y[0], 2.0 / 100, 1e-12);  // 99 pairs of neighbours out of 4950
  EXPECT_NEAR(ties.y[1], 0.07, 0.01);
  EXPECT_NEAR(ties.y[2], 0.64, 0.01);
  EXPECT_NEAR(gaps.y[2], 0.92, 0.01);
  for (std::size_t c = 0; c < 4; ++c)
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(made.measured.at(c).y[i], made.predicted[c].y[i], i == 0 ? 0.06 : 0.03)
          << made.predicted[c].label << " at " << ties.x[i];
}

TEST(SortExplain, WhatNoMemberFitsIsLeftOut) {
  const std::vector<SortExplanation> made = explain_sortedness({}, small_scale());
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].id, "ties");
  EXPECT_THROW(explain_sortedness({}, {.lengths = {16}, .pairs = 0}), UsageError);
  EXPECT_THROW(explain_sortedness({}, {.lengths = {1}}), UsageError);
}

void expect_sound(const SortExplanation& made) {
  const auto finite = [](const std::vector<double>& numbers) {
    return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
  };
  for (const auto* curves : {&made.predicted, &made.measured})
    for (const SortCurve& curve : *curves) {
      EXPECT_EQ(curve.x.size(), curve.y.size()) << made.id;
      EXPECT_TRUE(curve.low.empty() || curve.low.size() == curve.x.size()) << made.id;
      EXPECT_EQ(curve.low.size(), curve.high.size()) << made.id;
      EXPECT_TRUE(finite(curve.x) && finite(curve.y) && finite(curve.low) && finite(curve.high))
          << made.id << " " << curve.label;
    }
  for (const SortMap& map : made.maps) {
    EXPECT_EQ(map.values.size(), to_size(map.rows * map.columns)) << map.label;
    EXPECT_TRUE(finite(map.values)) << map.label;
  }
}

TEST(SortExplain, EveryEncodingAndPoolingCanBeExplained) {
  std::vector<Member> members;
  for (std::size_t i = 0; i < names_of(PositionKind{}).size(); ++i)
    members.push_back(
        tiny_member(tiny_sorter(static_cast<PositionKind>(i), static_cast<PoolingSetting>(i % 8))));
  Config rejecting = tiny_sorter(PositionKind::learned, PoolingSetting::mean);
  rejecting.model.position_past_end = PastEndKind::reject;
  members.push_back(tiny_member(rejecting));
  std::vector<ExplainMember> all;
  for (const Member& member : members)
    all.push_back(asked(member, field_text(member.config.model.position)));
  all.back().recipe = "rejecting";
  for (const ExplainMember& one : all)
    for (const SortExplanation& made : explain_sortedness({&one, 1}, small_scale()))
      expect_sound(made);
  const std::vector<SortExplanation> together = explain_sortedness(all, small_scale());
  EXPECT_EQ(together.size(), 9U);  // clamping needs cells
}

}  // namespace
}  // namespace heddle
