// What must not matter to a classifier of sequences: padding, the future, a common shift and, where
// nothing tells the order, the order. Each with a control that does hear it.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/tensors.hpp"
#include "tests/support/tiny_classifier.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

constexpr std::array kBoth{DType::f32, DType::f64};

/// The longest of some_sequences() in other orders.
std::vector<Sequence> orders() {
  const Sequence values = some_sequences().front();
  std::vector<Sequence> all(4, values);
  std::ranges::reverse(all[0]);
  std::ranges::rotate(all[1], all[1].begin() + 2);
  std::swap(all[2][3], all[2][4]);
  std::swap(all[3].front(), all[3].back());
  return all;
}

/// How far the logits of other orders are from those of the sequence, in units of the rounding.
double order_effect(const Config& config, DType dtype, const std::vector<Sequence>& others) {
  const TinyClassifier tiny(config, dtype);
  const Tensor straight = tiny.logits({some_sequences().front()});
  double most = 0;
  for (const Sequence& other : others)
    most = std::max(most, largest_difference(tiny.logits({other}), straight));
  return most / tiny.rounding(straight);
}

bool reads_order_itself(PoolingSetting pooling) {
  return reads_order(static_cast<PoolingKind>(pooling));
}

TEST(SortednessInvariance, WithoutPositionsTheOrderIsUnheard) {
  for (const PoolingSetting pooling : all_poolings())
    for (const NormaliserKind normaliser :
         {NormaliserKind::softmax, NormaliserKind::log_n, NormaliserKind::entmax})
      for (const DType dtype : kBoth) {
        Config config = tiny_sorter(PositionKind::none, pooling);
        config.model.normaliser = normaliser;
        SCOPED_TRACE(sorter_name(config) + " " + field_text(normaliser));
        const double effect = order_effect(config, dtype, orders());
        if (reads_order_itself(pooling)) {
          EXPECT_GT(effect, 1);
        } else {
          EXPECT_LE(effect, 1);
        }
      }
}

/// The control: every encoding lets the order be heard, even through a symmetric pooling.
TEST(SortednessInvariance, WithPositionsItIsHeard) {
  for (const PositionKind position : all_positions()) {
    if (position == PositionKind::none) continue;
    const Config config = tiny_sorter(position, PoolingSetting::mean);
    EXPECT_GT(order_effect(config, DType::f32, orders()), 1) << field_text(position);
  }
  Config split = tiny_sorter(PositionKind::none, PoolingSetting::mean);
  split.model.direction = DirectionKind::split;
  EXPECT_GT(order_effect(split, DType::f32, orders()), 1);
}

TEST(SortednessInvariance, SymmetricBiasesCannotTellASequenceFromItsReverse) {
  const std::vector<Sequence> reversed{orders().front()};
  for (const PositionKind position : {PositionKind::alibi, PositionKind::kerple})
    for (const PoolingSetting pooling : {PoolingSetting::mean, PoolingSetting::max,
                                         PoolingSetting::attention, PoolingSetting::noisy_or})
      for (const DType dtype : kBoth) {
        Config config = tiny_sorter(position, pooling);
        SCOPED_TRACE(sorter_name(config));
        EXPECT_LE(order_effect(config, dtype, reversed), 1);
        config.model.direction = DirectionKind::split;
        EXPECT_GT(order_effect(config, dtype, reversed), 1);
      }
}

/// A row of a padded batch against the sequence alone.
void expect_padding_unseen(const Config& config) {
  SCOPED_TRACE(sorter_name(config) + " " + field_text(config.model.normaliser));
  const TinyClassifier tiny(config);
  const std::vector<Sequence> sequences = some_sequences();
  const Tensor together = tiny.logits(sequences);
  for (std::size_t row = 0; row < sequences.size(); ++row) {
    const Tensor alone = tiny.logits({sequences[row]}, nullptr, row);
    const Tensor mine = together.window(static_cast<Index>(row) * 2, {1, 2});
    EXPECT_LE(largest_difference(mine, alone), tiny.rounding(alone)) << "row " << row;
  }
}

TEST(SortednessInvariance, PaddingChangesNothing) {
  for (const PositionKind position : all_positions())
    for (const PoolingSetting pooling : all_poolings())
      expect_padding_unseen(tiny_sorter(position, pooling));
}

TEST(SortednessInvariance, PaddingChangesNothingForAnyNormaliserAndDirection) {
  for (const NormaliserKind normaliser : {NormaliserKind::log_n, NormaliserKind::entmax})
    for (const PositionKind position :
         {PositionKind::alibi, PositionKind::shaw, PositionKind::rope, PositionKind::fire}) {
      Config config = tiny_sorter(position, PoolingSetting::max);
      config.model.normaliser = normaliser;
      expect_padding_unseen(config);
      config.model.direction = DirectionKind::split;
      expect_padding_unseen(config);
    }
}

/// One sequence with `before` tokens of padding in front of it.
struct Shifted {
  std::vector<std::int32_t> ids;
  std::vector<std::uint8_t> valid;

  Shifted(const Sequence& values, std::size_t before)
      : ids(before, kSortPad), valid(before, std::uint8_t{0}) {
    ids.insert(ids.end(), values.begin(), values.end());
    valid.resize(ids.size(), 1);
  }
  ModelInput input() const {
    return {
        .source = {.ids = ids.data(), .batch = 1, .length = std::ssize(ids), .valid = valid.data()},
        .pooled = valid.data()};
  }
};

/// How much a shift by three places changes, in units of the rounding.
double shift_effect(const Config& config) {
  const TinyClassifier tiny(config);
  const Shifted here(some_sequences()[1], 0), there(some_sequences()[1], 3);
  const Tensor logits = tiny.logits(here.input());
  return largest_difference(tiny.logits(there.input()), logits) / tiny.rounding(logits);
}

TEST(SortednessInvariance, RelativeEncodingsIgnoreACommonShift) {
  for (const PositionKind position :
       {PositionKind::none, PositionKind::rope, PositionKind::alibi, PositionKind::t5,
        PositionKind::shaw, PositionKind::kerple, PositionKind::normalised})
    for (const DirectionKind direction : {DirectionKind::both, DirectionKind::split})
      for (const NormaliserKind normaliser : {NormaliserKind::softmax, NormaliserKind::log_n}) {
        Config config = tiny_sorter(position, PoolingSetting::max);
        config.model.direction = direction;
        config.model.normaliser = normaliser;
        EXPECT_LE(shift_effect(config), 1) << sorter_name(config) << " " << field_text(direction);
      }
  for (const PositionKind position : {PositionKind::sinusoidal, PositionKind::learned})
    EXPECT_GT(shift_effect(tiny_sorter(position, PoolingSetting::max)), 1) << field_text(position);
}

/// Everything that the pass shows position by position, by the name of its tap.
std::vector<std::pair<std::string, Tensor>> rows_seen(const TinyClassifier& tiny,
                                                      const Sequence& values) {
  std::vector<std::pair<std::string, Tensor>> seen;
  Edits edits = tiny.edits();
  edits.on("**", [&](const TapSite& site, const Var& x) {
    const auto& axes = site.point.axes;
    if (axes.size() > 1 && axes[1] == Axis::position) seen.emplace_back(site.point.path, x.value);
    return x;
  });
  tiny.logits({values}, &edits);
  return seen;
}

/// Of two passes whose sequences agree up to token `same`: which taps differ before it.
std::vector<std::string> heard_early(const Config& config, std::size_t same) {
  const TinyClassifier tiny(config);
  Sequence values = some_sequences().front(), other = values;
  for (std::size_t i = same; i < other.size(); ++i) other[i] = 50;
  const auto a = rows_seen(tiny, values), b = rows_seen(tiny, other);
  EXPECT_EQ(a.size(), b.size());
  std::vector<std::string> heard;
  const auto front = static_cast<Index>(same) + layout_of(config.model).front();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Tensor &x = a[i].second, &y = b[i].second;
    const Index rows = front * (x.size() / x.dim(1));
    if (!same_bits(x.window(0, {rows}), y.window(0, {rows}))) heard.push_back(a[i].first);
  }
  return heard;
}

TEST(SortednessInvariance, CausalAttentionIgnoresTheFuture) {
  for (const PoolingSetting pooling : {PoolingSetting::mean, PoolingSetting::noisy_or})
    for (const NormaliserKind normaliser :
         {NormaliserKind::softmax, NormaliserKind::log_n, NormaliserKind::entmax})
      for (const std::size_t same : {1U, 4U, 8U}) {
        Config config = tiny_sorter(PositionKind::causal, pooling);
        config.model.normaliser = normaliser;
        EXPECT_EQ(heard_early(config, same), std::vector<std::string>{}) << field_text(normaliser);
      }
  EXPECT_FALSE(heard_early(tiny_sorter(PositionKind::none, PoolingSetting::mean), 4).empty());
}

}  // namespace
}  // namespace heddle::testing
