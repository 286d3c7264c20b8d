// Rows that repeat are computed once: the same bits with less work, unless somebody looks at them.
#include "heddle/nn/lookup.hpp"

#include <gtest/gtest.h>

#include "heddle/kernels/work_count.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_classifier.hpp"
#include "tests/support/tiny_model.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

constexpr Index kTokens = 4, kPlaces = 3, kWidth = 5;

/// Six sequences of three tokens, at places 0, 1, 2: 18 rows, of which at most 12 differ.
struct Sentences {
  std::vector<std::int32_t> ids{0, 1, 2, 0, 1, 2, 0, 1, 3, 0, 1, 2, 1, 1, 2, 0, 1, 2};
  Var table{random_tensor({kTokens, kWidth}, "tokens", 1, DType::f32)};
  Var positions{random_tensor({kPlaces, kWidth}, "places", 1, DType::f32)};

  EmbeddingArgs args() const {
    EmbeddingArgs args{.table = table,
                       .ids = ids.data(),
                       .positions = &positions,
                       .position_ids = Ids(std::ssize(ids)),
                       .batch = std::ssize(ids) / kPlaces,
                       .length = kPlaces};
    for (std::size_t i = 0; i < ids.size(); ++i)
      args.position_ids.data()[i] = static_cast<std::int32_t>(i % kPlaces);
    return args;
  }
};

TEST(Lookup, ATokenHasARowForEveryPlaceWhereItStands) {
  const Sentences sentences;
  const Lookup lookup = look_up(sentences.args());
  ASSERT_FALSE(lookup.all.empty());
  EXPECT_EQ(lookup.rows.dim(1), 5);  // 0 and 1 at place 0, 1 at place 1, 2 and 3 at place 2
  const Var plain = embedding(sentences.args());
  EXPECT_TRUE(same_bits(lookup.all, plain.value));
  EXPECT_TRUE(same_bits(lookup.spread(Var{lookup.rows}).value, plain.value));
  EXPECT_TRUE(lookup.describes(Var{lookup.all}));
  EXPECT_FALSE(lookup.describes(plain)) << "equal numbers, but another stream";
  EXPECT_FALSE(Lookup{}.describes(Var{}));
}

TEST(Lookup, WithoutPlacesTokensAlone) {
  const Sentences sentences;
  EmbeddingArgs args = sentences.args();
  args.positions = nullptr;
  args.position_ids = {};
  EXPECT_EQ(look_up(args).rows.dim(1), kTokens);
}

TEST(Lookup, RowsThatHardlyRepeatAreNoLookup) {
  const Sentences sentences;
  EmbeddingArgs args = sentences.args();
  args.batch = 1;  // three rows, all different
  EXPECT_TRUE(look_up(args).all.empty());
}

TEST(Lookup, AnIdWithoutARowIsAnError) {
  Sentences sentences;
  sentences.ids[4] = kTokens;
  EXPECT_EQ(message_of<ShapeError>([&] { look_up(sentences.args()); }),
            "embedding: id 4 in a table of 4 rows");
}

struct Passed {
  Tensor logits;
  double operations;
};
template <class Forward>
Passed counted(const Forward& forward) {
  const double before = kernels::counted_operations();
  Tensor logits = forward();
  return {logits, kernels::counted_operations() - before};
}

/// Who watches these taps must see what a plain pass has there, so that nothing can be saved.
void expect_same_with_less(const Passed& quick, const Passed& watched, const std::string& what) {
  EXPECT_TRUE(same_bits(quick.logits, watched.logits)) << what;
  EXPECT_LT(quick.operations, 0.97 * watched.operations) << what;
}

TEST(Lookup, AModelSavesWorkAndKeepsItsBits) {
  for (const NormKind norm : {NormKind::pre, NormKind::post})
    for (const PositionKind position : {PositionKind::none, PositionKind::learned,
                                        PositionKind::sinusoidal, PositionKind::abacus}) {
      const TinyModel tiny(tiny_config(norm, ActivationKind::relu, position), DType::f32, 40);
      const Passed quick = counted([&] { return tiny.logits(); });
      for (const char* tap : {"*.embed.out", "*.0.resid_before"}) {
        Edits edits = tiny.edits();
        edits.on(tap, copying());
        expect_same_with_less(quick, counted([&] { return tiny.logits(&edits); }), tap);
      }
      if (norm == NormKind::post) continue;  // there the norm comes after q, k and v
      Edits edits = tiny.edits();
      edits.on("*.0.norm_self.out", copying());
      expect_same_with_less(quick, counted([&] { return tiny.logits(&edits); }), "norm");
    }
}

TEST(Lookup, WhatIsWatchedHasARowForEveryPlace) {
  const TinyModel tiny(tiny_config(), DType::f32, 40);
  for (const char* tap : {"encoder.embed.out", "encoder.0.resid_before", "encoder.0.norm_self.out",
                          "encoder.0.self.q", "encoder.0.self.k", "encoder.0.self.v"}) {
    Tensor seen;
    Edits edits = tiny.edits();
    edits.on(tap, storing(seen));
    tiny.logits(&edits);
    EXPECT_EQ(seen.dim(0), 40) << tap;
    EXPECT_EQ(seen.dim(1), tiny.source().length) << tap;
  }
}

TEST(Lookup, AClassifierSavesWorkWhereItsInputsRepeat) {
  const TinyClassifier tiny(tiny_sorter(PositionKind::alibi, PoolingSetting::mean));
  std::vector<Sequence> sequences;
  for (int i = 0; i < 20; ++i) sequences.push_back({3, 5, 5, 3, 7, 3});
  const Passed quick = counted([&] { return tiny.logits(sequences); });
  Edits edits = tiny.edits();
  edits.on("encoder.embed.out", copying());
  expect_same_with_less(quick, counted([&] { return tiny.logits(sequences, &edits); }), "alibi");
}

TEST(Lookup, AnotherStreamIsNotTakenForTheOneLookedUp) {
  const TinyModel tiny(tiny_config(), DType::f32, 40);
  const ModelInput input{.source = tiny.source(), .target = tiny.target()};
  const auto after_layer = [&](bool forget) {
    Pass pass(tiny.weights());
    Activations at;
    tiny.model().run_stage(0, pass, input, at);
    EXPECT_FALSE(at.source_lookup.all.empty());
    at.source = Var{random_tensor(at.source.value.shape(), "another", 1, DType::f32)};
    if (forget) at.source_lookup = {};
    tiny.model().run_stage(1, pass, input, at);
    return at.source.value;
  };
  EXPECT_TRUE(same_bits(after_layer(false), after_layer(true)));
}

}  // namespace
}  // namespace heddle::testing
