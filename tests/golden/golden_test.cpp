// The same numbers as PyTorch: logits, all gradients, and the losses of ten training steps.
//
// Tolerances. Both sides compute the same formulas with sums in another order. A pass through the
// 2 + 2 layers has about 40 sums in a row of at most 14 terms (d_ff), so 40 · 14 · u of the largest
// number bounds what rounding explains; the gradients pass them twice.
#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/ops/loss.hpp"
#include "heddle/train/trainer.hpp"
#include "tests/golden/golden_case.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

constexpr double kSums = 40 * 14;

/// The golden model in one precision, on the first training batch.
struct Golden {
  Config config;
  std::unique_ptr<Seq2Seq> model;
  Weights weights;
  Batch batch;
  Tensor logits, gradient;
  double loss = 0;

  Golden(const std::string& variant, DType dtype);
};

class GoldenTest : public ::testing::TestWithParam<std::string> {
 protected:
  const SafetensorsFile expected{golden_results(GetParam())};
  const Tensor& find(const std::string& name) const {
    const Tensor* found = expected.find(name);
    check(found != nullptr, "no golden '{}'", name);
    return *found;
  }
  void compare(DType dtype, double unit) const;
};

Golden::Golden(const std::string& variant, DType dtype)
    : config(golden_config(variant)),
      model(std::make_unique<Seq2Seq>(
          config.model, TaskShape{.words = 11, .longest_input = 5, .longest_output = 3})),
      weights(model->layout(), dtype) {
  read_golden_weights(variant, weights);
  weights.pack();
  Addition(config).train_batch(0, batch);
  Tape tape;
  Run run(weights);
  gradient = Tensor::zeros(weights.flat().shape(), dtype);
  run.differentiate(tape, gradient);
  Activations at;
  const Tokens source{.ids = batch.source.data(), .batch = batch.size, .length = 5};
  model->encode(run, source, at);
  model->decode(run, source, {.ids = batch.target_in.data(), .batch = batch.size, .length = 4}, at);
  logits = at.logits.value;
  const Var mean = cross_entropy(at.logits, batch.target_out.data(),
                                 1.0 / static_cast<double>(batch.target_out.size()));
  loss = numbers_of(mean.value)[0];
  tape.backward(mean);
}

void GoldenTest::compare(DType dtype, double unit) const {
  const Golden ours(GetParam(), dtype);
  const double of_logits = largest_difference(ours.logits, find("logits"));
  EXPECT_LE(of_logits, kSums * unit * largest(find("logits")));
  EXPECT_NEAR(ours.loss, numbers_of(find("loss"))[0], kSums * unit * ours.loss);
  double norm = 0, most = 0;
  for (const WeightSpec& spec : ours.model->layout().specs())
    norm = std::max(norm, largest(find("gradient." + spec.path)));
  for (const WeightSpec& spec : ours.model->layout().specs()) {
    const double difference = largest_difference(ours.gradient.window(spec.offset, spec.shape),
                                                 find("gradient." + spec.path));
    EXPECT_LE(difference, 2 * kSums * unit * norm) << spec.path;
    most = std::max(most, difference);
  }
  RecordProperty("logits", fmt::format("{:.1e}", of_logits));
  RecordProperty("gradients", fmt::format("{:.1e}", most));
}

TEST_P(GoldenTest, DoubleEqualsPyTorch) {
  compare(DType::f64, kUnit64);
}

TEST_P(GoldenTest, FloatFollowsPyTorch) {
  compare(DType::f32, kUnit);
}

/// Ten steps: weights start kSums · u apart after the first pass, each step moves them by at most
/// lr per weight, Adam's quotient repeats the gradient's relative error, and the loss follows the
/// weights with the gradient's norm, clipped to 1: steps · kSums · u of the largest loss.
TEST_P(GoldenTest, TenStepsFollowPyTorch) {
  Team team(2);
  Trainer trainer(golden_config(GetParam()), team);
  read_golden_weights(GetParam(), Weights(trainer.layout(), trainer.state()[0].second));
  trainer.resume_at(0);
  const std::vector<double> curve = numbers_of(find("curve_f64"));
  const std::vector<double> theirs = numbers_of(find("curve_f32")),
                            norms = numbers_of(find("norms"));
  double most = 0;
  for (std::size_t step = 0; step < kGoldenSteps; ++step) {
    const StepResult result = trainer.step();
    const double tolerance = static_cast<double>(step + 1) * kSums * kUnit * curve[0];
    EXPECT_NEAR(result.loss, curve[step], tolerance) << "step " << step;
    EXPECT_NEAR(result.loss, theirs[step], 2 * tolerance) << "step " << step;
    EXPECT_NEAR(result.gradient_norm, norms[step],
                2 * static_cast<double>(step + 1) * kSums * kUnit * norms[step]);
    most = std::max(most, std::abs(result.loss - curve[step]));
  }
  EXPECT_GT(*std::max_element(norms.begin(), norms.end()), 1) << "clipping was never tried";
  EXPECT_LT(curve[9], curve[0]);
  RecordProperty("curve", fmt::format("{:.1e}", most));
}

/// The inputs are those that the settings give today: weights of the seed, batches of the stream.
TEST_P(GoldenTest, InputsAreCurrent) {
  const TempFolder folder;
  write_golden_inputs(folder / "inputs", GetParam());
  EXPECT_EQ(read_file(folder / "inputs"), read_file(golden_inputs_path(GetParam())))
      << "write them anew (DISABLED_WriteInputs), then run tools/golden.py";
}

INSTANTIATE_TEST_SUITE_P(PyTorch, GoldenTest, ::testing::Values("pre", "post"),
                         [](const auto& row) { return row.param; });

TEST(GoldenFiles, DISABLED_WriteInputs) {
  for (const char* variant : {"pre", "post"})
    write_golden_inputs(golden_inputs_path(variant), variant);
}

}  // namespace
}  // namespace heddle::testing
