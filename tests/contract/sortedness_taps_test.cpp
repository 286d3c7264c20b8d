// The contract of taps for classifiers of sequences: every encoding, every pooling, every
// normaliser.
#include <gtest/gtest.h>

#include "tests/support/tap_contract.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_classifier.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

std::vector<std::string> broken_in(const Config& config) {
  const TinyClassifier tiny(config);
  return broken_taps(tiny.model().taps(),
                     [&](const Edits* edits) { return tiny.logits(some_sequences(), edits); });
}

const std::vector<std::string> kNone;

TEST(SortednessTaps, EveryTapOfEveryEncodingIsHeard) {
  for (const PositionKind position : all_positions())
    for (const PoolingSetting pooling : {PoolingSetting::attention, PoolingSetting::noisy_or}) {
      const Config config = tiny_sorter(position, pooling);
      EXPECT_EQ(broken_in(config), kNone) << sorter_name(config);
    }
}

TEST(SortednessTaps, EveryTapOfEveryPoolingIsHeard) {
  for (const PoolingSetting pooling : all_poolings())
    for (const NormKind norm : {NormKind::pre, NormKind::post}) {
      Config config = tiny_sorter(PositionKind::alibi, pooling);
      config.model.norm = norm;
      config.model.direction = DirectionKind::split;
      EXPECT_EQ(broken_in(config), kNone) << sorter_name(config) << " " << field_text(norm);
    }
}

TEST(SortednessTaps, TheFinalNormIsASetting) {
  for (const NormKind norm : {NormKind::pre, NormKind::post})
    for (const FinalNormKind kind :
         {FinalNormKind::by_norm, FinalNormKind::yes, FinalNormKind::no}) {
      Config config = tiny_sorter(PositionKind::sinusoidal, PoolingSetting::mean);
      config.model.norm = norm;
      config.model.final_norm = kind;
      const bool by_norm = kind == FinalNormKind::by_norm;
      EXPECT_EQ(has_tap(TinyClassifier(config).model().taps(), "encoder.norm.gain"),
                by_norm ? norm == NormKind::pre : kind == FinalNormKind::yes);
      EXPECT_EQ(broken_in(config), kNone) << field_text(norm) << " " << field_text(kind);
    }
}

TEST(SortednessTaps, EveryTapOfEveryNormaliserIsHeard) {
  for (const NormaliserKind normaliser : {NormaliserKind::log_n, NormaliserKind::entmax})
    for (const PositionKind position : {PositionKind::rope, PositionKind::shaw}) {
      Config config = tiny_sorter(position, PoolingSetting::mean);
      config.model.normaliser = normaliser;
      EXPECT_EQ(broken_in(config), kNone) << field_text(normaliser);
    }
}

/// Fused where nobody watches, plain where everything is watched: the same but for rounding.
TEST(SortednessTaps, WatchingChangesAtMostTheRounding) {
  for (const PositionKind position : all_positions()) {
    const TinyClassifier tiny(tiny_sorter(position, PoolingSetting::max));
    Edits watching = tiny.edits();
    watching.on("**", copying());
    const Tensor alone = tiny.logits(some_sequences());
    EXPECT_LE(largest_difference(tiny.logits(some_sequences(), &watching), alone),
              tiny.rounding(alone))
        << field_text(position);
  }
}

}  // namespace
}  // namespace heddle::testing
