// What a trained W_Q W_Kᵀ makes of the identity of sinusoids.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "heddle/base/index.hpp"
#include "heddle/lens/explain/sinusoids.hpp"

namespace heddle {
namespace {

double variance(const double* row, Index width) {
  double mean = 0, square = 0;
  for (Index e = 0; e < width; ++e) mean += row[e];
  mean /= static_cast<double>(width);
  for (Index e = 0; e < width; ++e) square += (row[e] - mean) * (row[e] - mean);
  return square / static_cast<double>(width);
}

/// The mean over values and places of the deviation by which a first norm divides.
double mean_deviation(const Member& member, const PlaceTable& places, Index width) {
  const Tensor tokens = weight_at(member.weights, table_path(member, TapRole::token_table));
  PlaceTable row(to_size(width));
  double sum = 0;
  for (Index value = 0; value < kValueCount; ++value)
    for (Index t = 0; t < kSinusoidPlaces; ++t) {
      for (Index e = 0; e < width; ++e)
        row[to_size(e)] = static_cast<double>(tokens.data<float>()[value * width + e]) +
                          places[to_size(t * width + e)];
      sum += std::sqrt(variance(row.data(), width));
    }
  return sum / static_cast<double>(kValueCount * kSinusoidPlaces);
}

/// What of a place reaches the first attention: the row itself, or, past a norm, its centred and
/// scaled part.
PlaceTable reaching_attention(const Member& member, Index width) {
  PlaceTable places = sinusoid_table(width);
  if (member.config.model.norm != NormKind::pre) return places;
  const double scale = 1 / mean_deviation(member, places, width);
  const std::string& module = first_attention(member).module;  // "<block>.self"
  const std::string block = module.substr(0, module.rfind('.'));
  const Tensor gain = weight_at(member.weights, block + ".norm_self.gain");
  for (Index t = 0; t < kSinusoidPlaces; ++t) {
    double* row = places.data() + t * width;
    double mean = 0;
    for (Index e = 0; e < width; ++e) mean += row[e] / static_cast<double>(width);
    for (Index e = 0; e < width; ++e)
      row[e] = (row[e] - mean) * scale * static_cast<double>(gain.data<float>()[e]);
  }
  return places;
}

/// rows · w[:, from … from + count).
PlaceTable project(const PlaceTable& rows, Index width, const Tensor& w, Index from, Index count) {
  PlaceTable out(to_size(kSinusoidPlaces * count));
  const Index columns = w.dim(1);
  for (Index t = 0; t < kSinusoidPlaces; ++t)
    for (Index e = 0; e < width; ++e) {
      const double x = rows[to_size(t * width + e)];
      const float* weights = w.data<float>() + e * columns + from;
      for (Index c = 0; c < count; ++c)
        out[to_size(t * count + c)] += x * static_cast<double>(weights[c]);
    }
  return out;
}

/// The positional part of one head's logits.
struct HeadLogits {
  std::string name;
  Index width = 0;
  PlaceTable queries, keys;

  double at(Index t, Index s) const {
    return dot_rows(queries, t, keys, s, width) / std::sqrt(static_cast<double>(width));
  }
};

std::vector<HeadLogits> head_logits(const Member& member) {
  const ModelConfig& model = member.config.model;
  const Index width = model.d_head();
  const PlaceTable rows = reaching_attention(member, model.d_model);
  const std::string& module = first_attention(member).module;
  const Tensor w_q = weight_at(member.weights, module + ".w_q");
  const Tensor w_k = weight_at(member.weights, module + ".w_k");
  std::vector<HeadLogits> heads;
  for (Index h = 0; h < model.heads; ++h)
    heads.push_back({.name = fmt::format("{}.head.{}", module, h),
                     .width = width,
                     .queries = project(rows, model.d_model, w_q, h * width, width),
                     .keys = project(rows, model.d_model, w_k, h * width, width)});
  return heads;
}

/// Mean and range over t of the logit at each distance.
SortCurve over_places(const HeadLogits& head) {
  SortCurve curve{.label = head.name, .x = sinusoid_distances(), .y = {}, .low = {}, .high = {}};
  for (Index distance = 0; distance <= kSinusoidDistances; ++distance) {
    double sum = 0, low = head.at(kSinusoidDistances, kSinusoidDistances - distance), high = low;
    for (Index t = kSinusoidDistances; t < kSinusoidPlaces; ++t) {
      const double logit = head.at(t, t - distance);
      sum += logit;
      low = std::min(low, logit);
      high = std::max(high, logit);
    }
    curve.y.push_back(sum / static_cast<double>(kSinusoidPlaces - kSinusoidDistances));
    curve.low.push_back(low);
    curve.high.push_back(high);
  }
  return curve;
}

double spread(const SortCurve& curve) {
  double sum = 0;
  for (std::size_t i = 0; i < curve.y.size(); ++i) sum += curve.high[i] - curve.low[i];
  return sum;
}

/// The logits at the smallest t that has all distances.
SortCurve at_first_place(const HeadLogits& head) {
  SortCurve curve{.label = fmt::format("{} at t = {}", head.name, kSinusoidDistances),
                  .x = sinusoid_distances(),
                  .y = {},
                  .low = {},
                  .high = {}};
  for (Index distance = 0; distance <= kSinusoidDistances; ++distance)
    curve.y.push_back(head.at(kSinusoidDistances, kSinusoidDistances - distance));
  return curve;
}

}  // namespace

MaybeExplained explain_identity_heads(ExplainMembers members, const ExplainScale& /*scale*/) {
  const std::vector<RecipeGroup> groups = by_recipe(members, 1, is_sinusoidal);
  if (groups.empty()) return std::nullopt;
  const ExplainMember& asked = groups.front().first();
  SortExplanation made{
      .id = "identity-heads",
      .title = "What a trained head makes of the identity",
      .formula =
          "A head sees (P_t W_Q)·(P_s W_K)/√d_head: it depends on t − s only if W_Q W_Kᵀ is "
          "a scaled rotation within every pair of sine and cosine and mixes no two pairs. "
          "Predicted: the logits at the smallest t, which would then hold for every t. "
          "Measured: mean and range over t up to 255 (the positional part alone, past the "
          "first norm with its mean scale), for the heads of largest and smallest range.",
      .x_label = "distance t − s",
      .y_label = "positional part of the logit",
      .log_x = false,
      .predicted = {},
      .measured = {},
      .maps = {}};
  const std::vector<HeadLogits> heads = head_logits(asked.member);
  std::vector<SortCurve> curves;
  for (const HeadLogits& head : heads) curves.push_back(over_places(head));
  const auto [least, most] = std::ranges::minmax_element(curves, {}, spread);
  std::vector<std::size_t> shown{to_size(most - curves.begin())};
  if (least != most) shown.push_back(to_size(least - curves.begin()));
  for (const std::size_t h : shown) {
    made.predicted.push_back(at_first_place(heads[h]));
    made.measured.push_back(curves[h]);
  }
  const HeadLogits& widest = heads[shown.front()];
  made.maps.push_back(
      place_map(widest.name + ", query by key",
                fmt::format("{}, seed {}: constant along diagonals only where the identity holds",
                            asked.recipe, asked.seed),
                [&](Index t, Index s) { return widest.at(t, s); }));
  return made;
}

}  // namespace heddle
