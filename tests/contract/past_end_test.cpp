// What a learned table does past its last row, as configured: its last row, rows that nobody
// trained, or an error.
#include <algorithm>

#include <gtest/gtest.h>

#include "heddle/train/trainer.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_classifier.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

/// Trains on lengths up to 6: six rows, or seven with a summary token.
Config short_table(PastEndKind past_end, PoolingSetting pooling = PoolingSetting::max) {
  Config config = tiny_sorter(PositionKind::learned, pooling);
  config.task.lengths = "4-6";
  config.model.position_past_end = past_end;
  return config;
}

const WeightSpec& table_of(const WeightLayout& layout) {
  return *std::ranges::find(layout.specs(), "encoder.embed.position", &WeightSpec::path);
}

/// The longest sequence with these places.
Tensor placed(const TinyClassifier& tiny, std::vector<std::int32_t> places) {
  const Sequence values = some_sequences().front();
  ModelInput input;
  input.source = {
      .ids = values.data(), .batch = 1, .length = std::ssize(values), .places = places.data()};
  return tiny.logits(input);
}

TEST(PastEnd, ClampGivesTheLastRow) {
  const TinyClassifier tiny(short_table(PastEndKind::clamp));
  EXPECT_EQ(table_of(tiny.model().layout()).shape[0], 6);
  const Tensor whole = tiny.logits({some_sequences().front()});
  EXPECT_TRUE(same_bits(whole, placed(tiny, {0, 1, 2, 3, 4, 5, 5, 5, 5})));
  EXPECT_FALSE(same_bits(whole, placed(tiny, {0, 1, 2, 3, 4, 5, 4, 5, 5})));
}

TEST(PastEnd, UntrainedRowsAreRowsOfTheirOwn) {
  const TinyClassifier tiny(short_table(PastEndKind::untrained));
  const Tensor whole = tiny.logits({some_sequences().front()});
  EXPECT_TRUE(same_bits(whole, placed(tiny, {0, 1, 2, 3, 4, 5, 6, 7, 8})));
  EXPECT_FALSE(same_bits(whole, placed(tiny, {0, 1, 2, 3, 4, 5, 5, 5, 5})));
}

/// Weight decay is for matrices, so nothing moves what no token has stood at.
TEST(PastEnd, TrainingLeavesUntrainedRowsAlone) {
  Config config = short_table(PastEndKind::untrained);
  config.train.weight_decay = 0.1;
  Team team(1);
  Trainer trainer(config, team);
  const WeightSpec& table = table_of(trainer.layout());
  const Index width = table.shape[1], trained = 6 * width;
  const auto part = [&](Index from, Index count) {
    return converted(trainer.evaluated().flat().window(table.offset + from, {count}), DType::f64);
  };
  const Tensor head = part(0, trained), tail = part(trained, table.shape.size() - trained);
  for (int i = 0; i < 20; ++i) trainer.step();
  EXPECT_TRUE(same_bits(part(trained, table.shape.size() - trained), tail));
  EXPECT_GT(largest_difference(part(0, trained), head), 0);
}

TEST(PastEnd, RejectSaysWhatTheModelHas) {
  const TinyClassifier tiny(short_table(PastEndKind::reject));
  (void)tiny.logits({Sequence(6, 1)});
  EXPECT_EQ(message_of<ShapeError>([&] { (void)tiny.logits({Sequence(7, 1)}); }),
            "position 6 is past the 6 that the model has (model.position_past_end=reject)");
}

/// The summary token and BOS have places too.
TEST(PastEnd, TheTableHoldsEveryTokenThatTrains) {
  for (const PastEndKind past_end : {PastEndKind::clamp, PastEndKind::reject}) {
    const TinyClassifier tiny(short_table(past_end, PoolingSetting::cls));
    EXPECT_EQ(table_of(tiny.model().layout()).shape[0], 7);
    (void)tiny.logits({Sequence(6, 1)});
  }
  Config config = short_table(PastEndKind::reject);
  config.model.position_rows = 9;
  (void)TinyClassifier(config).logits({some_sequences().front()});
}

}  // namespace
}  // namespace heddle::testing
