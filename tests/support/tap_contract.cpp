// See tap_contract.hpp.
#include "tests/support/tap_contract.hpp"

#include "heddle/nn/builder.hpp"
#include "heddle/nn/run.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

/// The bug we fear: the tap is shown the value, but its answer is thrown away.
class Module {
 public:
  Module(const Builder& at, bool deaf)
      : w_(at.matrix("w", 4, 6, {.deviation = 1})),
        hidden_(at.tap("hidden", axes::kStream, {6})),
        deaf_(deaf) {}

  Var forward(Run& run, const Var& x) const {
    const Var hidden = linear(x, run.matrix(w_), {.activation = kernels::Activation::gelu});
    const Var answer = run.tap(hidden_, hidden);
    return deaf_ ? hidden : answer;
  }

 private:
  WeightId w_;
  TapId hidden_;
  bool deaf_;
};

}  // namespace

std::vector<std::string> broken_taps(const TapTable& taps, const TappedPass& pass) {
  std::vector<std::string> broken;
  for (const TapPoint& point : taps.points()) {
    Edits watched(taps), same(taps), silent(taps);
    Tensor seen;
    watched.on(point.path, storing(seen));
    same.on(point.path, copying());
    silent.on(point.path, zeroing());
    const Tensor base = pass(&watched);
    const bool keeps = same_bits(pass(&same), base);
    const bool hears = largest_difference(pass(&silent), base) > 0;
    if (!keeps || !hears) broken.push_back(point.path);
  }
  return broken;
}

std::vector<std::string> broken_taps_of_a_module(bool deaf) {
  Blueprint blueprint;
  const Module module(Builder(blueprint).at("mlp"), deaf);
  Weights weights(blueprint.weights, DType::f32);
  weights.initialise(1);
  weights.pack();
  const Tensor x = random_tensor({2, 3, 4}, "x", 1, DType::f32);
  return broken_taps(blueprint.taps, [&](const Edits* edits) {
    Run run(weights, edits);
    return module.forward(run, Var{x}).value;
  });
}

}  // namespace heddle::testing
