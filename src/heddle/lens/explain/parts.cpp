// See parts.hpp.
#include "heddle/lens/explain/parts.hpp"

#include <algorithm>
#include <cmath>

#include "heddle/base/text.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/nn/position/sinusoids.hpp"

namespace heddle {

std::vector<RecipeGroup> by_recipe(ExplainMembers members, std::size_t most, const Fits& fits) {
  constexpr std::size_t kSeeds = 3;
  std::vector<RecipeGroup> groups;
  for (const ExplainMember& member : members) {
    if (!fits(member)) continue;
    auto group = std::ranges::find(groups, member.recipe, &RecipeGroup::recipe);
    if (group == groups.end())
      group = groups.insert(groups.end(), {.recipe = member.recipe, .members = {}});
    if (group->members.size() < kSeeds) group->members.push_back(&member);
  }
  std::ranges::stable_sort(groups, {}, [](const RecipeGroup& group) {
    return group.recipe == "recipe" ? 0 : group.recipe.starts_with("reported") ? 2 : 1;
  });
  if (groups.size() > most) groups.erase(groups.begin() + static_cast<Index>(most), groups.end());
  return groups;
}

SortCurve over_members(std::string label, const std::vector<double>& x,
                       const std::vector<std::vector<double>>& rows) {
  SortCurve curve{.label = std::move(label), .x = x, .y = {}, .low = {}, .high = {}};
  for (std::size_t i = 0; i < x.size(); ++i) {
    double sum = 0, low = rows.front()[i], high = low;
    for (const std::vector<double>& row : rows) {
      sum += row[i];
      low = std::min(low, row[i]);
      high = std::max(high, row[i]);
    }
    curve.y.push_back(sum / static_cast<double>(rows.size()));
    if (rows.size() == 1) continue;
    curve.low.push_back(low);
    curve.high.push_back(high);
  }
  return curve;
}

bool accepts_longer_inputs(const ModelConfig& model) {
  return model.position != PositionKind::learned || model.position_past_end != PastEndKind::reject;
}

std::vector<Index> lengths_for(const ExplainScale& scale, const ModelConfig& model) {
  std::vector<Index> lengths{scale.map_length_short};
  for (const Index length : scale.lengths)
    if (length > scale.map_length_short && length <= scale.map_length_long &&
        accepts_longer_inputs(model))
      lengths.push_back(length);
  std::ranges::sort(lengths);
  lengths.erase(std::ranges::unique(lengths).begin(), lengths.end());
  return lengths;
}

Tensor weight_at(const Weights& weights, std::string_view path) {
  const std::vector<WeightSpec>& specs = weights.layout().specs();
  const auto spec = std::ranges::find(specs, path, &WeightSpec::path);
  check<UsageError>(spec != specs.end(), "the model has no weight {}", quote(path));
  return weights.value(static_cast<WeightId>(spec - specs.begin()));
}

std::string table_path(const Member& member, TapRole role) {
  const TapTable& taps = member.model->taps();
  const std::vector<TapId> tables = taps.with_role(role);
  check<UsageError>(!tables.empty(), "the model has no table of {}",
                    role == TapRole::token_table ? "tokens" : "places");
  return taps[tables.front()].path;
}

const HeadGroup& first_attention(const Member& member) {
  return member.model->taps().heads().front();
}

Tensor seen_at(const Member& member, const Questions& sequences, std::string_view tap) {
  Tensor seen;
  Edits edits(member.model->taps());
  edits.on(tap, [&seen](const TapSite&, const Var& x) {
    seen = x.value;
    return x;
  });
  const EncodedQuestions rows = encoded(member, sequences);
  Run run(member.weights, &edits);
  (void)member.model->forward(run, rows.all());
  return seen;
}

Tensor sinusoid_rows(Index count, Index width) {
  const Tokens tokens{.ids = nullptr, .batch = 1, .length = count};
  return Sinusoids(count, width).at_places(tokens, DType::f64).table.value;
}

double rounded(double value) {
  constexpr double kDigits = 1e4;
  return std::round(value * kDigits) / kDigits + 0.0;  // no −0
}

std::vector<double> as_doubles(std::span<const Index> numbers) {
  return {numbers.begin(), numbers.end()};
}

}  // namespace heddle
