// See planted_heads.hpp.
#include "tests/support/planted_heads.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"

namespace heddle::testing {
namespace {

/// Columns (or, of w_o, rows) of a head move to another head's place.
void permute_blocks(std::span<float> weight, Index rows, Index columns, Index width,
                    const std::vector<Index>& order) {
  const std::vector<float> before(weight.begin(), weight.end());
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < columns; ++c) {
      const Index from = order[to_size(c / width)] * width + c % width;
      weight[to_size(r * columns + c)] = before[to_size(r * columns + from)];
    }
}

}  // namespace

Config planted_config() {
  Config config;
  config.task.digits = 3;
  config.model.d_model = 32;
  config.model.d_ff = 8;
  config.model.heads = 4;
  return config;
}

std::span<float> weight_of(const Member& member, const std::string& path) {
  for (const WeightSpec& spec : member.model->layout().specs())
    if (spec.path == path)
      return {member.weights.flat().write_shared<float>() + spec.offset,
              to_size(spec.shape.size())};
  throw Error("no weight " + path);
}

Member uniform_member(const Config& config) {
  Member member = make_member(config);
  for (const WeightSpec& spec : member.model->layout().specs()) {
    const std::span<float> numbers = weight_of(member, spec.path);
    const bool silent = spec.path.ends_with(".w_q") || spec.path.ends_with(".w_k") ||
                        spec.path.ends_with(".w_o") || spec.path.ends_with(".w_out") ||
                        spec.path.ends_with(".token") || spec.path.ends_with(".position");
    if (silent) std::ranges::fill(numbers, 0.0F);
    if (!spec.path.ends_with(".position")) continue;
    for (Index i = 0; i < spec.shape[0]; ++i) numbers[to_size(i * spec.shape[1] + i)] = 1;
  }
  member.weights.pack();
  return member;
}

void plant(Member& member, const std::string& module, Index head, const LooksAt& looks_at) {
  constexpr float kLoud = 40;
  const Index width = member.config.model.d_head(), columns = member.config.model.d_model;
  const std::span<float> w_q = weight_of(member, module + ".w_q");
  const std::span<float> w_k = weight_of(member, module + ".w_k");
  const auto at = [&](Index row, Index feature) {
    return to_size(row * columns + head * width + feature);
  };
  for (Index place = 0; place < width; ++place) {
    w_k[at(place, place)] = 1;
    for (const Index key : looks_at(place)) w_q[at(place, key)] = kLoud;
  }
}

void permute_heads(Member& member, const std::vector<Index>& order) {
  const Index width = member.config.model.d_head(), d = member.config.model.d_model;
  for (const WeightSpec& spec : member.model->layout().specs()) {
    const std::span<float> numbers = weight_of(member, spec.path);
    for (const char* name : {".w_q", ".w_k", ".w_v"})
      if (spec.path.ends_with(name)) permute_blocks(numbers, d, d, width, order);
    for (const char* name : {".b_q", ".b_v"})
      if (spec.path.ends_with(name)) permute_blocks(numbers, 1, d, width, order);
    if (spec.path.ends_with(".w_o")) permute_blocks(numbers, 1, d * d, width * d, order);
  }
  member.weights.pack();
}

}  // namespace heddle::testing
