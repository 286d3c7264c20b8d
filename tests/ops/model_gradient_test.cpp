// All weights of a whole encoder-decoder against central differences: what the operations' own
// checks leave open, that modules and stages wire them up rightly.
#include <gtest/gtest.h>

#include "heddle/autograd/gradcheck.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

struct Variant {
  std::string name;
  NormKind norm;
  ActivationKind activation;
  PositionKind position;
  std::string cut{};
};

/// Two attentions without any head, one that has lost its first.
constexpr const char* kCut =
    "encoder.0.self.head.0,encoder.0.self.head.1,decoder.0.self.head.0,decoder.0.self.head.1,"
    "decoder.0.cross.head.0";

class ModelGradient : public ::testing::TestWithParam<Variant> {};

TEST_P(ModelGradient, EqualsCentralDifferences) {
  const Variant& variant = GetParam();
  Config config = tiny_config(variant.norm, variant.activation, variant.position);
  config.model.cut_heads = variant.cut;
  const TinyModel tiny(config, DType::f64, 3);
  const Tensor& flat = tiny.weights().flat();
  Tensor gradient = Tensor::zeros(flat.shape(), DType::f64);
  {
    Tape tape;
    Pass run(tiny.weights());
    run.differentiate(tape, gradient);
    tape.backward(tiny.loss(run));
  }
  const Tensor numeric = numeric_gradient(flat, [&] {
    Pass run(tiny.weights());
    return *tiny.loss(run).value.data<double>();
  });
  const double error = relative_error(gradient.flat<double>(), numeric.flat<double>());
  RecordProperty("error", fmt::format("{:.1e}", error));
  EXPECT_LE(error, 1e-7);
  for (const WeightSpec& spec : tiny.weights().layout().specs())
    EXPECT_GT(largest(gradient.window(spec.offset, spec.shape)), 0) << spec.path;
}

INSTANTIATE_TEST_SUITE_P(
    Seq2Seq, ModelGradient,
    ::testing::Values(
        Variant{"PreReluLearned", NormKind::pre, ActivationKind::relu, PositionKind::learned},
        Variant{"PreGeluSinusoidal", NormKind::pre, ActivationKind::gelu, PositionKind::sinusoidal},
        Variant{"PreReluNone", NormKind::pre, ActivationKind::relu, PositionKind::none},
        Variant{"PostGeluLearned", NormKind::post, ActivationKind::gelu, PositionKind::learned},
        Variant{"PostReluSinusoidal", NormKind::post, ActivationKind::relu,
                PositionKind::sinusoidal},
        Variant{"PostGeluNone", NormKind::post, ActivationKind::gelu, PositionKind::none},
        Variant{"PreCut", NormKind::pre, ActivationKind::gelu, PositionKind::learned, kCut},
        Variant{"PostCut", NormKind::post, ActivationKind::gelu, PositionKind::learned, kCut}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace heddle::testing
