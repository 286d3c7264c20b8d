// The contract of taps, for every point of the model: the same value given back changes nothing,
// zeros change the logits. And a control: a module that ignores the answer is caught.
#include <gtest/gtest.h>

#include "tests/support/tap_contract.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

Config with_layers(NormKind norm) {
  Config config = tiny_config(norm, ActivationKind::gelu, PositionKind::learned);
  config.model.encoder_layers = 2;
  config.model.decoder_layers = 2;
  return config;
}

class TapContract : public ::testing::TestWithParam<NormKind> {
 protected:
  TinyModel tiny{with_layers(GetParam())};
};

TEST_P(TapContract, EveryTapIsHeard) {
  const auto broken =
      broken_taps(tiny.model().taps(), [&](const Edits* edits) { return tiny.logits(edits); });
  EXPECT_EQ(broken, std::vector<std::string>{});
}

/// The same for a model that lacks heads, and one attention all of them: what is not there has no
/// tap, the rest is heard.
TEST_P(TapContract, EveryTapOfACutModelIsHeard) {
  Config config = with_layers(GetParam());
  config.model.cut_heads =
      "encoder.1.self.head.0,encoder.1.self.head.1,decoder.0.self.head.1,decoder.1.cross.head.0,"
      "decoder.1.cross.head.1";
  const TinyModel cut(config);
  const auto broken =
      broken_taps(cut.model().taps(), [&](const Edits* edits) { return cut.logits(edits); });
  EXPECT_EQ(broken, std::vector<std::string>{});
  EXPECT_EQ(find_heads(cut.model().taps(), "**.head.*").size(), 7U);
  EXPECT_THROW((void)cut.model().taps().find("encoder.1.self.z"), TapError);
  EXPECT_EQ(cut.model().taps().find("encoder.1.self.*").size(), 2U);  // b_o, out
}

/// A final norm where the other kind of block has none, and none where it has one: the model is
/// built as told, and what is there is heard.
TEST_P(TapContract, TheFinalNormIsASetting) {
  const std::vector<std::string> none;
  const bool by_norm = GetParam() == NormKind::pre;
  EXPECT_EQ(has_tap(tiny.model().taps(), "encoder.norm.out"), by_norm);
  for (const FinalNormKind kind : {FinalNormKind::yes, FinalNormKind::no}) {
    Config config = with_layers(GetParam());
    config.model.final_norm = kind;
    const TinyModel other(config);
    for (const char* norm : {"encoder.norm.out", "decoder.norm.gain"})
      EXPECT_EQ(has_tap(other.model().taps(), norm), kind == FinalNormKind::yes) << norm;
    EXPECT_EQ(
        broken_taps(other.model().taps(), [&](const Edits* edits) { return other.logits(edits); }),
        none);
  }
}

/// Where nobody watches, fused operations run. Their sums have another order than the plain steps':
/// each of the 4 layers passes at most 5 products of at most d_ff terms and 3 softmaxes or norms
/// of at most d_model, so depth · terms · u of the largest logit, and norms may enlarge it by the
/// ratio of largest to smallest deviation, here below 16.
TEST_P(TapContract, WatchingChangesAtMostTheRounding) {
  const Tensor alone = tiny.logits();
  const double terms = static_cast<double>(tiny.config().model.d_ff);
  const double tolerance = 16 * 4 * (5 + 3) * terms * kUnit * largest(alone);
  for (const TapPoint& point : tiny.model().taps().points()) {
    Edits watching = tiny.edits();
    Tensor seen;
    watching.on(point.path, storing(seen));
    EXPECT_LE(largest_difference(tiny.logits(&watching), alone), tolerance) << point.path;
    EXPECT_FALSE(seen.empty()) << point.path << " was not passed";
    ASSERT_EQ(seen.rank(), static_cast<int>(point.axes.size())) << point.path;
    for (int axis = 0; axis < seen.rank(); ++axis)
      EXPECT_TRUE(point.shape[axis] == 0 || point.shape[axis] == seen.dim(axis)) << point.path;
  }
}

/// Everything watched at once: the plain path throughout.
TEST_P(TapContract, AllTapsAtOnceChangeAtMostTheRounding) {
  Edits watching = tiny.edits();
  watching.on("**", copying());
  const Tensor alone = tiny.logits();
  const double terms = static_cast<double>(tiny.config().model.d_ff);
  EXPECT_LE(largest_difference(tiny.logits(&watching), alone),
            16 * 4 * (5 + 3) * terms * kUnit * largest(alone));
}

INSTANTIATE_TEST_SUITE_P(Norms, TapContract, ::testing::Values(NormKind::pre, NormKind::post),
                         [](const auto& row) {
                           return row.param == NormKind::pre ? "Pre" : "Post";
                         });

TEST(TapNames, AMisspeltTapListsNearNames) {
  const TinyModel tiny(tiny_config());
  const auto said = [&](const char* name) {
    return message_of<TapError>([&] { tiny.edits().on(name, zeroing()); });
  };
  EXPECT_NE(said("encoder.0.self.patern").find("encoder.0.self.pattern"), std::string::npos);
  EXPECT_NE(said("decoder.0.cros.w_q").find("decoder.0.cross.w_q"), std::string::npos);
  EXPECT_NE(said("encoder.0.self.haed.1").find("encoder.0.self.head.1"), std::string::npos);
  EXPECT_NE(said("encoder.0.self.head.2").find("encoder.0.self.head.1"), std::string::npos);
  EXPECT_NE(said("nothing at all").find("no tap is called 'nothing at all'"), std::string::npos);
}

TEST(TapNames, AnEditMustKeepTheShape) {
  const TinyModel tiny(tiny_config());
  Edits edits = tiny.edits();
  edits.on("logits",
           [](const TapSite&, const Var& x) { return Var{x.value.reshaped({x.value.size()})}; });
  EXPECT_THROW(tiny.logits(&edits), TapError);
}

TEST(TapContractControl, ADeafModuleIsCaught) {
  EXPECT_EQ(broken_taps_of_a_module(true), std::vector<std::string>{"mlp.hidden"});
  EXPECT_EQ(broken_taps_of_a_module(false), std::vector<std::string>{});
}

}  // namespace
}  // namespace heddle::testing
