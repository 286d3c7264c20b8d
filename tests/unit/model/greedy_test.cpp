// Cached greedy decoding against one forced pass over the tokens it chose: bit for bit, with edits
// of every kind too.
#include "heddle/model/seq2seq/greedy.hpp"

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/ops/arithmetic.hpp"
#include "heddle/task/addition/tokens.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

Config two_digits(NormKind norm, PositionKind position) {
  Config config = tiny_config(norm, ActivationKind::gelu, position);
  config.task.digits = 2;
  config.model.decoder_layers = 2;
  return config;
}

struct Decoded {
  std::vector<std::int32_t> tokens;
  Tensor logits;
};

Decoded greedy(const TinyModel& tiny, const Edits* edits) {
  Run run(tiny.weights(), edits);
  Activations at;
  const Tokens source = tiny.source();
  tiny.model().encode(run, source, at);
  const Index batch = source.batch, length = tiny.batch().target_length;
  Decoded out{std::vector<std::int32_t>(to_size(batch * length)),
              Tensor::zeros({batch, length, kVocabulary}, DType::f32)};
  greedy_decode(tiny.model(), run,
                {.source = source,
                 .memory = at.memory,
                 .start = kBos,
                 .length = length,
                 .tokens = out.tokens,
                 .logits = out.logits.write<float>()});
  return out;
}

/// The logits of one pass that is given BOS and all chosen tokens but the last.
Tensor forced(const TinyModel& tiny, const Edits* edits, const Decoded& said) {
  const Index length = tiny.batch().target_length;
  std::vector<std::int32_t> prefix(said.tokens.size());
  for (std::size_t i = 0; i < prefix.size(); ++i)
    prefix[i] = i % to_size(length) == 0 ? kBos : said.tokens[i - 1];
  Run run(tiny.weights(), edits);
  Activations at;
  tiny.model().encode(run, tiny.source(), at);
  tiny.model().decode(run, tiny.source(),
                      {.ids = prefix.data(), .batch = tiny.batch().size, .length = length}, at);
  return at.logits.value;
}

void expect_alike(const TinyModel& tiny, const Edits* edits, const std::string& what) {
  const Decoded said = greedy(tiny, edits);
  const Tensor logits = forced(tiny, edits, said);
  EXPECT_TRUE(same_bits(said.logits, logits))
      << what << ": " << largest_difference(said.logits, logits);
  for (std::size_t row = 0; row < said.tokens.size(); ++row) {
    const float* at = logits.data<float>() + row * kVocabulary;
    EXPECT_EQ(said.tokens[row], std::max_element(at, at + kVocabulary) - at) << what;
  }
}

/// Silences the rows that stand at one position, whatever part of the sequence is passing.
Edit at_position(Index position) {
  return [position](const TapSite& site, const Var& x) {
    const int axis = site.axis(Axis::position);
    std::vector<double> keep(to_size(x.value.dim(axis)), 1.0);
    const Index row = position - site.offset;
    if (row >= 0 && row < x.value.dim(axis)) keep[to_size(row)] = 0;
    return scale_slices(x, axis, keep);
  };
}

TEST(Greedy, EqualsAForcedPass) {
  for (const NormKind norm : {NormKind::pre, NormKind::post})
    for (const PositionKind position :
         {PositionKind::learned, PositionKind::sinusoidal, PositionKind::none})
      expect_alike(TinyModel(two_digits(norm, position), DType::f32, 9), nullptr, "no edit");
}

TEST(Greedy, EqualsAForcedPassUnderEveryEdit) {
  const TinyModel tiny(two_digits(NormKind::pre, PositionKind::learned), DType::f32, 9);
  for (const TapPoint& point : tiny.model().taps().points()) {
    if (point.path == "decoder.0.self.scores" || point.path == "decoder.1.self.scores")
      continue;  // zeros instead of −inf show the future to a forced pass, which a cache lacks
    Edits edits = tiny.edits();
    edits.on(point.path, zeroing());
    expect_alike(tiny, &edits, point.path);
  }
  Edits head = tiny.edits();
  head.on("decoder.1.self.head.1", zeroing());
  expect_alike(tiny, &head, "a head");
}

TEST(Greedy, EditsByPositionHoldInTheCache) {
  const TinyModel tiny(two_digits(NormKind::pre, PositionKind::learned), DType::f32, 9);
  const Decoded free = greedy(tiny, nullptr);
  for (const char* tap :
       {"decoder.0.self.z", "decoder.0.self.k", "decoder.0.self.v", "decoder.1.resid_mid",
        "decoder.0.self.q", "decoder.0.cross.z", "decoder.embed.out", "decoder.0.mlp.hidden"})
    for (Index position = 0; position < 4; ++position) {
      Edits edits = tiny.edits();
      edits.on(tap, at_position(position));
      expect_alike(tiny, &edits, fmt::format("{} at {}", tap, position));
      if (position == 0) continue;  // the first query sees one key, whatever it asks for
      const double change = largest_difference(greedy(tiny, &edits).logits, free.logits);
      EXPECT_GT(change, 0) << tap << " at " << position;
    }
}

}  // namespace
}  // namespace heddle::testing
