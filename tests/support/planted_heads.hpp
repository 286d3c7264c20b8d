// A member whose heads look where they are told: tokens stand for nothing, positions are one-hot,
// and nothing is ever added to the stream.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "heddle/config/config.hpp"
#include "heddle/model/member.hpp"

namespace heddle::testing {

/// Three digits, four heads of width eight, two layers each side.
Config planted_config();

/// All heads uniform: w_q is zero.
Member uniform_member(const Config& config);

/// Keys that a row looks at, in equal parts; none: a uniform row.
using LooksAt = std::function<std::vector<Index>(Index query)>;
/// Makes one head look there, whatever the problem. Call member.weights.pack() afterwards.
void plant(Member& member, const std::string& module, Index head, const LooksAt& looks_at);

/// The numbers of a weight, to be written.
std::span<float> weight_of(const Member& member, const std::string& path);

/// Gives head i of every attention the weights that head order[i] had; packs.
void permute_heads(Member& member, const std::vector<Index>& order);

}  // namespace heddle::testing
