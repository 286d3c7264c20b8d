// See tiny_model.hpp.
#include "tests/support/tiny_model.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/model/member.hpp"
#include "heddle/ops/arithmetic.hpp"
#include "heddle/ops/loss.hpp"
#include "heddle/task/addition/carry_balance.hpp"
#include "heddle/task/addition/encoding.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle::testing {

Config tiny_config() {
  Config config;
  config.task.digits = 1;
  config.model.d_model = 8;
  config.model.d_ff = 12;
  config.model.heads = 2;
  config.model.encoder_layers = 1;
  config.model.decoder_layers = 1;
  config.train.batch = 16;
  config.train.steps = 20;
  config.train.warmup = 5;
  return config;
}

Config tiny_config(NormKind norm, ActivationKind activation, PositionKind position) {
  Config config = tiny_config();
  config.model.norm = norm;
  config.model.activation = activation;
  config.model.position = position;
  return config;
}

void perturb(const Weights& weights, double size) {
  for (const WeightSpec& spec : weights.layout().specs()) {
    Rng rng(3, "perturb." + spec.path);
    dispatch(weights.flat().dtype(), [&]<class T>() {
      T* out = weights.flat().write_shared<T>() + spec.offset;
      for (Index i = 0; i < spec.shape.size(); ++i)
        out[i] =
            static_cast<T>(static_cast<float>(static_cast<double>(out[i]) + size * rng.normal()));
    });
  }
}

TinyModel::TinyModel(const Config& config, DType dtype, Index problems)
    : config_(config), model_(build_seq2seq(config)), weights_(model_->layout(), dtype) {
  weights_.initialise(config.seed);
  perturb(weights_);
  weights_.pack();
  const int digits = static_cast<int>(config.task.digits);
  AdditionEncoding(config.task).encode(some_problems(digits, problems), batch_);
}

Tokens TinyModel::source() const {
  return {.ids = batch_.source.data(), .batch = batch_.size, .length = batch_.source_length};
}

Tokens TinyModel::target() const {
  return {.ids = batch_.target_in.data(), .batch = batch_.size, .length = batch_.target_length};
}

Activations TinyModel::forward(Run& run) const {
  Activations at;
  model_->encode(run, source(), at);
  model_->decode(run, source(), target(), at);
  return at;
}

Tensor TinyModel::logits(const Edits* edits) const {
  Run run(weights_, edits);
  return forward(run).logits.value;
}

Var TinyModel::loss(Run& run) const {
  const auto& targets = batch_.target_out;
  const auto bearing =
      std::count_if(targets.begin(), targets.end(), [](std::int32_t t) { return t != kNoTarget; });
  return cross_entropy(forward(run).logits, targets.data(), 1.0 / static_cast<double>(bearing));
}

std::vector<Problem> some_problems(int digits, Index count) {
  Rng rng(5, "problems");
  std::vector<Problem> problems;
  for (Index i = 0; i < count; ++i) problems.push_back(draw_uniform(rng, digits));
  return problems;
}

Edit copying() {
  return [](const TapSite&, const Var& x) {
    return scale_slices(x, 0, std::vector<double>(to_size(x.value.dim(0)), 1.0));
  };
}

Edit zeroing() {
  return [](const TapSite&, const Var& x) {
    return scale_slices(x, 0, std::vector<double>(to_size(x.value.dim(0)), 0.0));
  };
}

Edit storing(Tensor& into) {
  return [&into](const TapSite&, const Var& x) {
    into = x.value;
    return x;
  };
}

}  // namespace heddle::testing
