// The encodings themselves: the matrix of sinusoids, and what trained heads add by distance.
#include <fmt/core.h>

#include "heddle/lens/explain/parts.hpp"
#include "heddle/ops/distance.hpp"

namespace heddle {
namespace {

constexpr Index kSpan = 17;  // distances −16 … 16
constexpr Index kMapRows = 32;

Var weight(const Member& member, std::string_view name) {
  return Var{weight_at(member.weights, fmt::format("{}.{}", first_attention(member).module, name))};
}

/// [heads, 2·kSpan − 1], before anything is hidden.
Tensor biases(const Member& member) {
  const ModelConfig& model = member.config.model;
  if (model.position == PositionKind::alibi)
    return alibi_table(weight(member, "slopes"), kSpan).value;
  if (model.position == PositionKind::t5)
    return bucket_table(weight(member, "distances"), kSpan, model.position_reach).value;
  return kerple_table(weight(member, "log_r1"), weight(member, "log_r2"), kSpan).value;
}

VisibleSide sees_of(const ModelConfig& model, Index head) {
  if (model.direction == DirectionKind::both) return VisibleSide::all;
  return head % 2 == 0 ? VisibleSide::before : VisibleSide::after;
}

/// What each head adds where it looks.
void add_heads(const ExplainMember& each, SortExplanation& into) {
  const ModelConfig& model = each.member.config.model;
  const Tensor table = biases(each.member);
  for (Index head = 0; head < model.heads; ++head) {
    SortCurve curve{.label = fmt::format("{}, {}.head.{}", each.recipe,
                                         first_attention(each.member).module, head),
                    .x = {},
                    .y = {},
                    .low = {},
                    .high = {}};
    for (Index distance = 1 - kSpan; distance < kSpan; ++distance) {
      if (!sees(sees_of(model, head), distance)) continue;
      const Index at = head * (2 * kSpan - 1) + distance + kSpan - 1;
      curve.x.push_back(static_cast<double>(distance));
      curve.y.push_back(static_cast<double>(table.data<float>()[at]) + 0.0);  // no −0
    }
    into.measured.push_back(std::move(curve));
  }
}

SortMap sinusoid_map(Index width) {
  const Tensor rows = sinusoid_rows(kMapRows, width);
  SortMap map{.label = "sinusoidal rows",
              .note = "place by feature; fast pairs first",
              .rows = kMapRows,
              .columns = width,
              .trained_rows = 0,
              .row_names = {},
              .column_names = {},
              .values = {}};
  for (Index i = 0; i < kMapRows * width; ++i)
    map.values.push_back(rounded(rows.data<double>()[i]));
  return map;
}

}  // namespace

MaybeExplained explain_encodings(ExplainMembers members, const ExplainScale& /*scale*/) {
  const auto has = [](PositionKind kind) {
    return [kind](const ExplainMember& each) {
      return each.member.config.model.position == kind && each.recipe != "hand-built";
    };
  };
  SortExplanation made{
      .id = "encodings",
      .title = "The encodings themselves",
      .formula =
          "sinusoidal: sin and cos of i·10000^(−2k/d), added to inputs. alibi: −m|Δ|, "
          "kerple: −r₁ ln(1 + r₂|Δ|), t5: a number for each bucket of distances, added to "
          "scores, Δ = query − key; as trained, in the first layer, where a head looks.",
      .x_label = "Δ = query − key",
      .y_label = "added to the score",
      .log_x = false,
      .predicted = {},
      .measured = {},
      .maps = {}};
  if (const auto groups = by_recipe(members, 1, has(PositionKind::sinusoidal)); !groups.empty())
    made.maps.push_back(sinusoid_map(groups.front().model().d_model));
  for (const PositionKind kind : {PositionKind::alibi, PositionKind::t5, PositionKind::kerple})
    for (const RecipeGroup& group : by_recipe(members, 1, has(kind)))
      add_heads(group.first(), made);
  return made.maps.empty() && made.measured.empty() ? std::nullopt
                                                    : MaybeExplained(std::move(made));
}

}  // namespace heddle
