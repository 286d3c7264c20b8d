// The identity of sinusoids: P_t·P_s depends on t − s only.
#include <cmath>

#include <fmt/core.h>

#include "heddle/base/index.hpp"
#include "heddle/lens/explain/sinusoids.hpp"

namespace heddle {
namespace {

/// Σ_k cos(Δ ω_k), ω_k = 10000^(−2k/d).
double sum_of_cosines(double distance, Index width) {
  constexpr double kBase = 10000;
  double sum = 0;
  for (Index e = 0; e < width; e += 2)
    sum +=
        std::cos(distance * std::pow(kBase, -static_cast<double>(e) / static_cast<double>(width)));
  return sum;
}

}  // namespace

bool is_sinusoidal(const ExplainMember& each) {
  const ModelConfig& model = each.member.config.model;
  return (model.position == PositionKind::sinusoidal ||
          model.position == PositionKind::random_offset) &&
         model.d_model % 2 == 0;
}

double dot_rows(const PlaceTable& a, Index i, const PlaceTable& b, Index j, Index width) {
  double sum = 0;
  for (Index e = 0; e < width; ++e) sum += a[to_size(i * width + e)] * b[to_size(j * width + e)];
  return sum;
}

PlaceTable sinusoid_table(Index width) {
  const Tensor rows = sinusoid_rows(kSinusoidPlaces, width);
  return {rows.data<double>(), rows.data<double>() + kSinusoidPlaces * width};
}

std::vector<double> sinusoid_distances() {
  std::vector<double> x;
  for (Index distance = 0; distance <= kSinusoidDistances; ++distance)
    x.push_back(static_cast<double>(distance));
  return x;
}

SortMap place_map(std::string label, std::string note,
                  const std::function<double(Index t, Index s)>& value) {
  constexpr Index kMapPlaces = 32;
  SortMap map{.label = std::move(label),
              .note = std::move(note),
              .rows = kMapPlaces,
              .columns = kMapPlaces,
              .trained_rows = 0,
              .row_names = {},
              .column_names = {},
              .values = {}};
  for (Index t = 0; t < kMapPlaces; ++t)
    for (Index s = 0; s < kMapPlaces; ++s) map.values.push_back(rounded(value(t, s)));
  return map;
}

MaybeExplained explain_identity(ExplainMembers members, const ExplainScale& /*scale*/) {
  const std::vector<RecipeGroup> groups = by_recipe(members, 1, is_sinusoidal);
  if (groups.empty()) return std::nullopt;
  const Index width = groups.front().model().d_model;
  const PlaceTable rows = sinusoid_table(width);
  SortExplanation made{
      .id = "identity",
      .title = "Rows of sinusoids know their distance",
      .formula =
          "sin a sin b + cos a cos b = cos(a − b), so P_t·P_s = Σ_k cos((t − s) ω_k) with "
          "ω_k = 10000^(−2k/d): the product depends on t − s only, whatever t is.",
      .x_label = "distance t − s",
      .y_label = "P_t·P_s",
      .log_x = false,
      .predicted = {},
      .measured = {},
      .maps = {}};
  SortCurve cosines{
      .label = "Σ cos((t − s) ω_k)", .x = sinusoid_distances(), .y = {}, .low = {}, .high = {}};
  for (const double distance : cosines.x) cosines.y.push_back(sum_of_cosines(distance, width));
  made.predicted.push_back(std::move(cosines));
  for (const Index t : {kSinusoidDistances, kSinusoidPlaces / 2, kSinusoidPlaces - 1}) {
    SortCurve curve{.label = fmt::format("from t = {}", t),
                    .x = sinusoid_distances(),
                    .y = {},
                    .low = {},
                    .high = {}};
    for (Index distance = 0; distance <= kSinusoidDistances; ++distance)
      curve.y.push_back(dot_rows(rows, t, rows, t - distance, width));
    made.measured.push_back(std::move(curve));
  }
  made.maps.push_back(place_map("P_t·P_s", "constant along every diagonal", [&](Index t, Index s) {
    return dot_rows(rows, t, rows, s, width);
  }));
  return made;
}

}  // namespace heddle
