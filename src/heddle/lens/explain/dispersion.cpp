// Dispersion: a fixed margin against ever more keys leaves ever less on the target.
#include <algorithm>
#include <cmath>

#include "heddle/lens/explain/attention_parts.hpp"
#include "heddle/lens/explain/parts.hpp"

namespace heddle {

namespace {

constexpr Index kMostSequences = 8;  // of a length: every one has as many queries as tokens

/// The member's sharpest head at the first length, and how sharp it is at each.
std::vector<double> sharpness_by_length(const Member& member, Index count,
                                        std::span<const Index> lengths) {
  HeadOfMaps head;
  std::vector<double> found;
  for (const Index length : lengths) {
    const auto patterns =
        patterns_on(member, one_swap_sequences(member.config.task.values, length, count));
    if (found.empty()) head = sharpest(patterns);
    double sum = 0;
    for (const auto& maps : patterns) sum += sharpness(maps[head.module], head.head);
    found.push_back(sum / static_cast<double>(patterns.size()));
  }
  return found;
}

/// 1/(1 + (n − 1)e^(−m)), m such that it is `first` at the first length; with log-n the margin
/// grows as ln n.
std::vector<double> predicted(double first, std::span<const Index> lengths, bool log_n) {
  constexpr double kMost = 1 - 1e-6, kLeast = 1e-6;
  const double sharp = std::clamp(first, kLeast, kMost);
  const auto start = static_cast<double>(lengths.front());
  const double margin = std::log((start - 1) * sharp / (1 - sharp));
  std::vector<double> weights;
  for (const Index length : lengths) {
    const auto n = static_cast<double>(length);
    const double grown = log_n ? margin * std::log(n) / std::log(start) : margin;
    weights.push_back(1 / (1 + (n - 1) * std::exp(-grown)));
  }
  return weights;
}

/// One recipe of every normaliser comes before a second one of any.
std::vector<RecipeGroup> by_normaliser(ExplainMembers members) {
  constexpr std::size_t kAll = 1000, kRecipes = 5;
  std::vector<RecipeGroup> groups = by_recipe(members, kAll, [](const ExplainMember& each) {
    return accepts_longer_inputs(each.member.config.model) && each.recipe != "hand-built";
  });
  std::vector<NormaliserKind> seen;
  std::ranges::stable_partition(groups, [&](const RecipeGroup& group) {
    const bool fresh = std::ranges::find(seen, group.model().normaliser) == seen.end();
    if (fresh) seen.push_back(group.model().normaliser);
    return fresh;
  });
  if (groups.size() > kRecipes) groups.erase(groups.begin() + kRecipes, groups.end());
  return groups;
}

}  // namespace

MaybeExplained explain_dispersion(ExplainMembers members, const ExplainScale& scale) {
  SortExplanation made{
      .id = "dispersion",
      .title = "Softmax disperses as keys are added",
      .formula =
          "A logit that exceeds n − 1 equal others by m gets 1/(1 + (n − 1)e^(−m)) of the "
          "attention; log-n lets m grow as ln n. Predicted: with m from the shortest "
          "length. Measured: the largest weight of a query, mean over queries, in each "
          "member's sharpest head. A bias that falls with distance keeps far keys out and "
          "stays above the formula.",
      .x_label = "keys n",
      .y_label = "largest attention weight",
      .log_x = true,
      .predicted = {},
      .measured = {},
      .maps = {}};
  for (const RecipeGroup& group : by_normaliser(members)) {
    const std::vector<Index> lengths = lengths_for(scale, group.model());
    std::vector<std::vector<double>> rows;
    for (const ExplainMember* each : group.members)
      rows.push_back(
          sharpness_by_length(each->member, std::min(scale.pairs, kMostSequences), lengths));
    const std::string label = group.recipe + ", " + field_text(group.model().normaliser);
    const std::vector<double> x = as_doubles(lengths);
    made.measured.push_back(over_members(label, x, rows));
    if (group.model().normaliser == NormaliserKind::entmax) continue;  // no formula in m alone
    const bool log_n = group.model().normaliser == NormaliserKind::log_n;
    made.predicted.push_back(
        over_members(label, x, {predicted(made.measured.back().y.front(), lengths, log_n)}));
  }
  return made.measured.empty() ? std::nullopt : MaybeExplained(std::move(made));
}

}  // namespace heddle
