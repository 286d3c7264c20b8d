// See golden_case.hpp.
#include "tests/golden/golden_case.hpp"

#include "heddle/model/member.hpp"
#include "heddle/task/addition/addition.hpp"
#include "heddle/tensor/dispatch.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

/// The reader of safetensors knows floating-point numbers alone; token ids fit them exactly.
Tensor as_numbers(const std::vector<std::int32_t>& ids, Index rows) {
  Tensor t = Tensor::uninitialised({rows, std::ssize(ids) / rows}, DType::f32);
  float* out = t.write<float>();
  for (const std::int32_t id : ids) *out++ = static_cast<float>(id);
  return t;
}

std::string golden_path(const std::string& file) {
  return std::string(HEDDLE_TEST_DATA) + "/golden/" + file + ".safetensors";
}

}  // namespace

/// Every setting that matters is written out, so that tuning the default recipe leaves this alone.
Config golden_config(const std::string& variant) {
  const bool post = variant == "post";
  Config config;
  config.task = {.digits = 2, .order = DigitOrder::most, .carry_balance = 0, .carry_fade = 0};
  config.model = {.d_model = 12,
                  .d_ff = 14,
                  .heads = 2,
                  .encoder_layers = 2,
                  .decoder_layers = 2,
                  .norm = post ? NormKind::post : NormKind::pre,
                  .activation = post ? ActivationKind::gelu : ActivationKind::relu,
                  .position = post ? PositionKind::sinusoidal : PositionKind::learned};
  config.train = {.batch = 8,
                  .steps = kGoldenSteps,
                  .lr = 0.01,
                  .warmup = 3,
                  .schedule = ScheduleKind::cosine,
                  .min_lr = 0,
                  .clip = 1,
                  .weight_decay = 0.1,
                  .ema = 0,
                  .optimizer = OptimizerKind::adamw,
                  .beta1 = 0.9,
                  .beta2 = 0.98,
                  .epsilon = 1e-8};
  config.seed = 1;
  return config;
}

std::string golden_inputs_path(const std::string& variant) {
  return golden_path(variant + "_inputs");
}

void write_golden_inputs(const std::string& path, const std::string& variant) {
  const Config config = golden_config(variant);
  const Member member = make_member(config);
  perturb(member.weights, 0.1);
  std::vector<NamedTensor> tensors;
  const auto& specs = member.weights.layout().specs();
  for (std::size_t i = 0; i < specs.size(); ++i)
    tensors.push_back({"weight." + specs[i].path, member.weights.value(static_cast<WeightId>(i))});
  const Addition task(config);
  for (int step = 0; step < kGoldenSteps; ++step) {
    Batch batch;
    task.train_batch(step, batch);
    tensors.push_back({fmt::format("source.{}", step), as_numbers(batch.source, batch.size)});
    tensors.push_back({fmt::format("target_in.{}", step), as_numbers(batch.target_in, batch.size)});
    tensors.push_back(
        {fmt::format("target_out.{}", step), as_numbers(batch.target_out, batch.size)});
  }
  write_safetensors(path, tensors);
}

void read_golden_weights(const std::string& variant, const Weights& into) {
  const SafetensorsFile file = read_safetensors(golden_inputs_path(variant));
  for (const WeightSpec& spec : into.layout().specs()) {
    const Tensor* found = file.find("weight." + spec.path);
    check(found != nullptr && found->shape() == spec.shape, "no golden weight '{}'", spec.path);
    const Tensor value = converted(*found, into.flat().dtype());
    dispatch(value.dtype(), [&]<class T>() {
      std::copy_n(value.data<T>(), value.size(), into.flat().write_shared<T>() + spec.offset);
    });
  }
}

SafetensorsFile golden_results(const std::string& variant) {
  return read_safetensors(golden_path(variant));
}

}  // namespace heddle::testing
