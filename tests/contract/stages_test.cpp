// The pass as a chain: it can be entered anywhere with what another pass left, and an edit leaves
// every stage before its own alone.
#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

/// Activations after each stage.
std::vector<Activations> chain(const TinyModel& tiny, const Edits* edits) {
  Run run(tiny.weights(), edits);
  std::vector<Activations> after;
  Activations at;
  for (int stage = 0; stage < tiny.model().stages(); ++stage) {
    tiny.model().run_stage(stage, run, {.source = tiny.source(), .target = tiny.target()}, at);
    after.push_back(at);
  }
  return after;
}

bool same(const Activations& a, const Activations& b) {
  return same_bits(a.source.value, b.source.value) && same_bits(a.memory.value, b.memory.value) &&
         same_bits(a.target.value, b.target.value) && same_bits(a.logits.value, b.logits.value);
}

Config two_layers(NormKind norm) {
  Config config = tiny_config(norm, ActivationKind::relu, PositionKind::learned);
  config.model.encoder_layers = config.model.decoder_layers = 2;
  return config;
}

TEST(Stages, EnteredInTheMiddleTheyGoOnAlike) {
  const TinyModel tiny(two_layers(NormKind::pre));
  const Tensor whole = tiny.logits();
  const std::vector<Activations> saved = chain(tiny, nullptr);
  EXPECT_TRUE(same_bits(saved.back().logits.value, whole));
  for (int from = 1; from < tiny.model().stages(); ++from) {
    Pass run(tiny.weights());
    Activations at = saved[to_size(from) - 1];
    for (int stage = from; stage < tiny.model().stages(); ++stage)
      tiny.model().run_stage(stage, run, {.source = tiny.source(), .target = tiny.target()}, at);
    EXPECT_TRUE(same_bits(at.logits.value, whole)) << "from " << tiny.model().stage_name(from);
  }
}

TEST(Stages, AnEditLeavesEarlierStagesAlone) {
  for (const NormKind norm : {NormKind::pre, NormKind::post}) {
    const TinyModel tiny(two_layers(norm));
    const std::vector<Activations> base = chain(tiny, nullptr);
    const auto& points = tiny.model().taps().points();
    for (std::size_t tap = 0; tap < points.size(); ++tap) {
      Edits silencing = tiny.edits();
      silencing.on(points[tap].path, zeroing());
      const std::vector<Activations> edited = chain(tiny, &silencing);
      std::size_t first = 0;
      while (first < base.size() && same(edited[first], base[first])) ++first;
      EXPECT_EQ(static_cast<int>(first), tiny.model().stage_of(static_cast<TapId>(tap)))
          << points[tap].path;
    }
  }
}

TEST(Stages, AreNamedAfterTheirModules) {
  const TinyModel tiny(two_layers(NormKind::pre));
  std::vector<std::string> names;
  for (int stage = 0; stage < tiny.model().stages(); ++stage)
    names.push_back(tiny.model().stage_name(stage));
  EXPECT_EQ(names,
            (std::vector<std::string>{"encoder.embed", "encoder.0", "encoder.1", "encoder.norm",
                                      "decoder.embed", "decoder.0", "decoder.1", "unembed"}));
}

}  // namespace
}  // namespace heddle::testing
