// See op_cases.hpp.
#include "tests/support/ops/op_cases.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>

#include "heddle/ops/arithmetic.hpp"
#include "heddle/ops/attention.hpp"
#include "heddle/ops/embedding.hpp"
#include "heddle/ops/linear.hpp"
#include "heddle/ops/loss.hpp"
#include "heddle/ops/norm.hpp"
#include "tests/support/tensors.hpp"

namespace heddle::testing {
namespace {

using kernels::Activation;
using Vars = std::span<const Var>;

const OpInput kX{{2, 3, 5}};
const OpInput kW{{5, 4}, 0.5, true};
const OpInput kBias{{4}, 1, true};

/// The weight with both its panels laid out beforehand, as a model hands it over.
class Packer {
 public:
  WeightMatrix operator()(const Var& w) {
    if (w.value.dtype() != DType::f32) return {w};
    const Index in = w.value.dim(0), out = w.value.dim(1);
    Tensor forward = Tensor::uninitialised({kernels::panel_size(in, out)}, DType::f32);
    Tensor backward = Tensor::uninitialised({kernels::panel_size(out, in)}, DType::f32);
    kernels::pack(w.value.rows<float>(), forward.write<float>());
    kernels::pack_transposed(w.value.rows<float>(), backward.write<float>());
    kept_.push_back(forward);
    kept_.push_back(backward);
    return {w, forward.data<float>(), backward.data<float>()};
  }

 private:
  std::deque<Tensor> kept_;  // until every backward pass has run
};

void add_linear(std::vector<OpCase>& rows) {
  rows.push_back({"linear", {kX, kW}, [](Vars v) { return linear(v[0], {v[1]}); }, 6});
  rows.push_back({"linear_bias",
                  {kX, kW, kBias},
                  [](Vars v) { return linear(v[0], {v[1]}, {.bias = &v[2]}); },
                  6});
  rows.push_back({"linear_residual",
                  {kX, kW, kBias, {{2, 3, 4}}},
                  [](Vars v) { return linear(v[0], {v[1]}, {.bias = &v[2], .residual = &v[3]}); },
                  7});
  rows.push_back({"linear_residual_is_input",
                  {kX, {{5, 5}, 0.5, true}},
                  [](Vars v) { return linear(v[0], {v[1]}, {.residual = &v[0]}); },
                  7});
  auto packer = std::make_shared<Packer>();
  rows.push_back({"linear_panels_given",
                  {kX, kW, kBias},
                  [packer](Vars v) { return linear(v[0], (*packer)(v[1]), {.bias = &v[2]}); },
                  6});
}

const OpInput kAway{{4}, 1, true, true};

Var activated(Vars v, Activation activation) {
  return linear(v[0], {v[1]}, {.bias = &v[2], .activation = activation});
}

/// An activation's slope is fused into whatever comes behind it: each way once.
void add_activations(std::vector<OpCase>& rows, Activation activation, const std::string& name) {
  const OpInput w2{{4, 3}, 0.5, true}, gain{{4}, 1, true}, bias{{4}, 1, true};
  rows.push_back(
      {"linear_" + name, {kX, kW, kAway}, [=](Vars v) { return activated(v, activation); }, 8});
  rows.push_back({"linear_" + name + "_then_linear",
                  {kX, kW, kAway, w2},
                  [=](Vars v) { return linear(activated(v, activation), {v[3]}); },
                  14});
  rows.push_back({"linear_" + name + "_then_norm",
                  {kX, kW, kAway, gain, bias},
                  [=](Vars v) { return layer_norm(activated(v, activation), v[3], v[4]); },
                  24});
  rows.push_back({"linear_" + name + "_used_twice",
                  {kX, kW, kAway, {{4, 4}, 0.5, true}},
                  [=](Vars v) {
                    const Var h = activated(v, activation);
                    return add(linear(h, {v[3]}), add(h, linear(h, {v[3]})));
                  },
                  24});
}

constexpr std::array<std::uint8_t, 10> kCrossValid{1, 1, 0, 1, 0, 0, 1, 1, 1, 1};
// The first query of the first sequence sees no key at all.
constexpr std::array<std::uint8_t, 8> kSelfValid{0, 1, 1, 1, 1, 1, 0, 1};

struct MaskCase {
  std::string name;
  Index queries, keys;
  AttentionMask mask;
};

void add_attention(std::vector<OpCase>& rows) {
  const std::array<MaskCase, 5> masks{
      MaskCase{"self", 4, 4, {}}, MaskCase{"causal", 4, 4, {.causal = true}},
      MaskCase{"causal_padded", 4, 4, {.causal = true, .key_valid = kSelfValid.data()}},
      MaskCase{"offset", 2, 5, {.causal = true, .offset = 2}},
      MaskCase{"cross_padded", 3, 5, {.key_valid = kCrossValid.data()}}};
  for (const MaskCase& each : masks) {
    const OpInput q{{2, each.queries, 2, 3}}, k{{2, each.keys, 2, 3}};
    rows.push_back({"attention_" + each.name,
                    {q, k, k},
                    [mask = each.mask](Vars v) { return attention(v[0], v[1], v[2], mask); },
                    24});
    rows.push_back({"attention_steps_" + each.name,
                    {q, k, k},
                    [mask = each.mask](Vars v) {
                      return attention_mix(attention_pattern(attention_scores(v[0], v[1], mask)),
                                           v[2]);
                    },
                    24});
  }
}

void add_attention_parts(std::vector<OpCase>& rows) {
  const OpInput q{{2, 3, 2, 4}}, k{{2, 5, 2, 4}}, rows_of_scores{{2, 2, 3, 5}};
  rows.push_back(
      {"attention_scores", {q, k}, [](Vars v) { return attention_scores(v[0], v[1], {}); }, 8});
  rows.push_back(
      {"attention_pattern", {rows_of_scores}, [](Vars v) { return attention_pattern(v[0]); }, 16});
  rows.push_back(
      {"attention_mix", {rows_of_scores, k}, [](Vars v) { return attention_mix(v[0], v[1]); }, 8});
  rows.push_back({"head_results",
                  {q, {{8, 5}, 1, true}},
                  [](Vars v) { return head_results(v[0], v[1]); },
                  12});
  rows.push_back({"sum_heads",
                  {{{2, 3, 2, 5}}, {{5}, 1, true}},
                  [](Vars v) { return sum_heads(v[0], v[1]); },
                  8});
}

constexpr std::array<std::int32_t, 6> kIds{3, 0, 3, 2, 3, 0};
constexpr std::array<std::int32_t, 6> kPlaces{0, 1, 2, 0, 1, 2};
constexpr std::array<std::int32_t, 6> kTargets{4, -1, 0, 2, -1, 2};

Var embedded(const Var& table, const Var* positions) {
  Ids places;
  if (positions != nullptr) {
    places = Ids(kPlaces.size());
    std::copy(kPlaces.begin(), kPlaces.end(), places.data());
  }
  return embedding({.table = table,
                    .ids = kIds.data(),
                    .positions = positions,
                    .position_ids = places,
                    .batch = 2,
                    .length = 3});
}

void add_rest(std::vector<OpCase>& rows) {
  const OpInput gain{{5}, 1, true}, table{{4, 5}, 1, true}, places{{3, 5}, 1, true};
  rows.push_back(
      {"layer_norm", {kX, gain, gain}, [](Vars v) { return layer_norm(v[0], v[1], v[2]); }, 24});
  rows.push_back({"embedding", {table}, [](Vars v) { return embedded(v[0], nullptr); }, 4});
  rows.push_back(
      {"embedding_positions", {table, places}, [](Vars v) { return embedded(v[0], &v[1]); }, 4});
  rows.push_back({"cross_entropy",
                  {kX},
                  [](Vars v) { return cross_entropy(v[0], kTargets.data(), 0.25); },
                  16});
  rows.push_back({"add", {kX, kX}, [](Vars v) { return add(v[0], v[1]); }, 2});
  rows.push_back({"add_to_itself", {kX}, [](Vars v) { return add(v[0], v[0]); }, 4});
  rows.push_back({"repeat_row",
                  {{.shape = {5}, .weight = true}},
                  [](Vars v) { return repeat_row(v[0], {2, 3, 5}); },
                  6});
  rows.push_back({"reshape", {kX}, [](Vars v) { return reshape(v[0], {3, 10}); }, 1});
  rows.push_back(
      {"scale_slices", {kX}, [](Vars v) { return scale_slices(v[0], 1, {0.5, 0, -2}); }, 2});
  rows.push_back({"weighted_sum", {kX}, [](Vars v) { return reduced(v[0], "inner"); }, 30});
}

std::vector<OpCase> make_cases() {
  std::vector<OpCase> rows;
  add_linear(rows);
  add_activations(rows, Activation::relu, "relu");
  add_activations(rows, Activation::gelu, "gelu");
  add_attention(rows);
  add_attention_parts(rows);
  add_rest(rows);
  add_pooling_cases(rows);
  add_relative_cases(rows);
  return rows;
}

}  // namespace

const std::vector<OpCase>& op_cases() {
  static const std::vector<OpCase> rows = make_cases();
  return rows;
}

std::vector<Tensor> inputs_of(const OpCase& row, DType dtype) {
  std::vector<Tensor> inputs;
  for (const OpInput& input : row.inputs) {
    const std::string stream = row.name + std::to_string(inputs.size());
    Tensor t = random_tensor(input.shape, stream, input.size, dtype);
    if (input.away)
      dispatch(dtype, [&]<class T>() {
        for (Index i = 0; i < t.size(); ++i) t.write<T>()[i] = i % 2 == 0 ? T{3} : T{-3};
      });
    inputs.push_back(std::move(t));
  }
  return inputs;
}

Var reduced(const Var& y, const std::string& stream) {
  return weighted_sum(y, random_tensor(y.value.shape(), stream, 1, y.value.dtype()));
}

}  // namespace heddle::testing
