// The learned table: which rows training has reached, how far they came, how alike they are.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "heddle/base/index.hpp"
#include "heddle/config/sequences.hpp"
#include "heddle/lens/explain/parts.hpp"
#include "heddle/task/row_layout.hpp"

namespace heddle {
namespace {

constexpr Index kMostRows = 64;  // of a table that keeps thousands of untrained ones
constexpr std::size_t kRecipes = 2;

bool has_table(const ExplainMember& each) {
  return each.member.config.model.position == PositionKind::learned;
}

/// Rows that some training sequence reaches.
Index trained_rows(const Config& config, Index rows) {
  const Index longest = parse_lengths(config.task.lengths).most;
  return std::min(row_layout(config.model).length(longest), rows);
}

/// The first rows of a table, in double.
struct Rows {
  Index count = 0, width = 0, trained = 0;
  std::vector<double> numbers;

  std::span<const double> operator[](Index row) const {
    return std::span(numbers).subspan(to_size(row * width), to_size(width));
  }
};

Rows rows_of(const ExplainMember& each, const Weights& weights) {
  const Tensor table = weight_at(weights, table_path(each.member, TapRole::position_table));
  Rows rows{.count = std::min(table.dim(0), kMostRows),
            .width = table.dim(1),
            .trained = 0,
            .numbers = {}};
  rows.trained = trained_rows(each.member.config, rows.count);
  rows.numbers.assign(table.data<float>(), table.data<float>() + rows.count * rows.width);
  return rows;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t e = 0; e < a.size(); ++e) sum += a[e] * b[e];
  return sum;
}

double cosine(std::span<const double> a, std::span<const double> b) {
  const double lengths = std::sqrt(dot(a, a) * dot(b, b));
  return lengths > 0 ? dot(a, b) / lengths : 0;
}

double distance(std::span<const double> a, std::span<const double> b) {
  double square = 0;
  for (std::size_t e = 0; e < a.size(); ++e) square += (a[e] - b[e]) * (a[e] - b[e]);
  return std::sqrt(square);
}

std::vector<double> places(Index count) {
  std::vector<double> x;
  for (Index i = 0; i < count; ++i) x.push_back(static_cast<double>(i));
  return x;
}

SortMap table_map(const ExplainMember& each, const Rows& rows) {
  SortMap map{.label = "learned table, " + each.recipe,
              .note = fmt::format("seed {}: {} of {} rows are reached in training", each.seed,
                                  rows.trained, rows.count),
              .rows = rows.count,
              .columns = rows.width,
              .trained_rows = rows.trained,
              .row_names = {},
              .column_names = {},
              .values = {}};
  for (const double number : rows.numbers) map.values.push_back(rounded(number));
  return map;
}

SortMap similarity_map(const ExplainMember& each, const Rows& rows) {
  SortMap map{.label = "similarity of positions, " + each.recipe,
              .note = "cosine of two rows of the table",
              .rows = rows.count,
              .columns = rows.count,
              .trained_rows = rows.trained,
              .row_names = {},
              .column_names = {},
              .values = {}};
  for (Index i = 0; i < rows.count; ++i)
    for (Index j = 0; j < rows.count; ++j) map.values.push_back(rounded(cosine(rows[i], rows[j])));
  return map;
}

/// No gradient reaches the rows past the training lengths: they stay at distance 0.
void add_untouched(const Rows& rows, SortExplanation& into) {
  if (rows.trained == rows.count || !into.predicted.empty()) return;
  SortCurve curve{.label = "rows without a gradient", .x = {}, .y = {}, .low = {}, .high = {}};
  for (Index i = rows.trained; i < rows.count; ++i) {
    curve.x.push_back(static_cast<double>(i));
    curve.y.push_back(0);
  }
  into.predicted.push_back(std::move(curve));
}

void add_distances(const RecipeGroup& group, SortExplanation& into) {
  std::vector<std::vector<double>> all;
  for (const ExplainMember* each : group.members) {
    if (each->start == nullptr) continue;
    const Rows now = rows_of(*each, each->member.weights), before = rows_of(*each, *each->start);
    std::vector<double> row;
    for (Index i = 0; i < now.count; ++i) row.push_back(distance(now[i], before[i]));
    all.push_back(std::move(row));
  }
  if (all.empty()) return;
  into.measured.push_back(
      over_members(group.recipe, places(static_cast<Index>(all.front().size())), all));
  add_untouched(rows_of(group.first(), group.first().member.weights), into);
}

}  // namespace

MaybeExplained explain_embedding(ExplainMembers members, const ExplainScale& /*scale*/) {
  const std::vector<RecipeGroup> groups = by_recipe(members, kRecipes, has_table);
  if (groups.empty()) return std::nullopt;
  SortExplanation made{
      .id = "embedding",
      .title = "A learned table knows the places it was trained on",
      .formula =
          "Row i of the table gets a gradient only from sequences longer than i: ‖E_i − "
          "E_i at the start‖ is 0 for every row past the longest training sequence.",
      .x_label = "place",
      .y_label = "distance of the row from its initial value",
      .log_x = false,
      .predicted = {},
      .measured = {},
      .maps = {}};
  for (const RecipeGroup& group : groups) {
    add_distances(group, made);
    const Rows rows = rows_of(group.first(), group.first().member.weights);
    made.maps.push_back(table_map(group.first(), rows));
    made.maps.push_back(similarity_map(group.first(), rows));
  }
  return made;
}

MaybeExplained explain_smoothness(ExplainMembers members, const ExplainScale& /*scale*/) {
  const std::vector<RecipeGroup> groups = by_recipe(members, kRecipes, has_table);
  if (groups.empty()) return std::nullopt;
  SortExplanation made{
      .id = "embedding-smoothness",
      .title = "How alike neighbouring rows of a learned table are",
      .formula =
          "Rows drawn independently have cosine 0 on average, give or take 1/√d. What "
          "exceeds that band was learned.",
      .x_label = "place i",
      .y_label = "cosine of rows i and i + 1",
      .log_x = false,
      .predicted = {},
      .measured = {},
      .maps = {}};
  Index longest = 0, width = 1;
  for (const RecipeGroup& group : groups) {
    std::vector<std::vector<double>> all;
    for (const ExplainMember* each : group.members) {
      const Rows rows = rows_of(*each, each->member.weights);
      std::vector<double> row;
      for (Index i = 0; i + 1 < rows.count; ++i) row.push_back(cosine(rows[i], rows[i + 1]));
      longest = std::max(longest, rows.count - 1);
      width = rows.width;
      all.push_back(std::move(row));
    }
    made.measured.push_back(
        over_members(group.recipe, places(static_cast<Index>(all.front().size())), all));
  }
  const auto count = to_size(longest);
  const double band = 1 / std::sqrt(static_cast<double>(width));
  made.predicted.push_back({.label = "independent rows",
                            .x = places(longest),
                            .y = std::vector<double>(count, 0.0),
                            .low = std::vector<double>(count, -band),
                            .high = std::vector<double>(count, band)});
  return made;
}

}  // namespace heddle
