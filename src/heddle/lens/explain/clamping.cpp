// Clamping: places past a learned table share its last row, so a swap among them is invisible.
#include <algorithm>
#include <map>

#include "heddle/eval/ceiling.hpp"
#include "heddle/eval/sortedness.hpp"
#include "heddle/lens/explain/parts.hpp"

namespace heddle {
namespace {

bool clamped(const ExplainMember& each) {
  const ModelConfig& model = each.member.config.model;
  return model.position == PositionKind::learned && model.position_past_end == PastEndKind::clamp &&
         symmetric(static_cast<PoolingKind>(model.pooling));
}

/// Accuracy on one-swap twins by length, for one kind of values.
std::map<Index, double> accuracies(const ExplainMember& member, std::string_view values) {
  std::map<Index, double> found;
  for (const SortCell& cell : member.cells)
    if (cell.kind == name_of(NegativeKind::adjacent) && cell.values == values &&
        cell.pairs_total > 0 && cell.total > 0)
      found[cell.length] = static_cast<double>(cell.correct) / static_cast<double>(cell.total);
  return found;
}

double ceiling_at(const ExplainMember& member, Index length, ValueKind values) {
  const double ceiling = ceiling_for(
      member.member.config, {.length = length, .kind = NegativeKind::adjacent, .values = values});
  return ceiling == kNoCeiling ? 1 : ceiling;
}

void add_curves(const RecipeGroup& group, ValueKind values, SortExplanation& into) {
  const std::map<Index, double> first = accuracies(group.first(), name_of(values));
  if (first.empty()) return;
  std::vector<double> x, ceilings;
  for (const auto& [length, accuracy] : first) {
    x.push_back(static_cast<double>(length));
    ceilings.push_back(ceiling_at(group.first(), length, values));
  }
  std::vector<std::vector<double>> rows;
  for (const ExplainMember* member : group.members) {
    std::vector<double> row;
    for (const auto& [length, accuracy] : accuracies(*member, name_of(values)))
      if (first.contains(length)) row.push_back(accuracy);
    if (row.size() == x.size()) rows.push_back(std::move(row));
  }
  const std::string label = group.recipe + ", " + std::string(name_of(values)) + " values";
  into.predicted.push_back(over_members(label, x, {ceilings}));
  into.measured.push_back(over_members(label, x, rows));
}

}  // namespace

MaybeExplained explain_clamping(ExplainMembers members, const ExplainScale& /*scale*/) {
  constexpr std::size_t kRecipes = 3;
  SortExplanation made{
      .id = "clamping",
      .title = "A clamped table cannot see swaps past its end",
      .formula =
          "All places from the table's last row on share that row: the swap of two "
          "neighbours there leaves the same tokens at the same rows. Only the share s of "
          "swaps within the table is seen, the rest is a coin's toss: at best "
          "½(1 + s) of one-swap twins.",
      .x_label = "length",
      .y_label = "accuracy on one-swap twins",
      .log_x = true,
      .predicted = {},
      .measured = {},
      .maps = {}};
  for (const RecipeGroup& group : by_recipe(members, kRecipes, clamped))
    for (const ValueKind values : {ValueKind::uniform, ValueKind::windowed, ValueKind::mixed})
      add_curves(group, values, made);
  return made.measured.empty() ? std::nullopt : MaybeExplained(std::move(made));
}

}  // namespace heddle
