// Dilution: what one violation moves of the pooled vector, the sequence getting longer around it.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/lens/asked.hpp"
#include "heddle/lens/explain/attention_parts.hpp"
#include "heddle/lens/explain/parts.hpp"
#include "heddle/task/sortedness/values.hpp"

namespace heddle {
namespace {

constexpr Index kBlockTokens = 4096;  // of one pass

bool pools_features(const ExplainMember& each) {
  return !judges_tokens(static_cast<PoolingKind>(each.member.config.model.pooling));
}

/// Twins with one adjacent swap among their first `core` values; then the last value again and
/// again, so that nothing but the length differs from that of other lengths.
Questions stretched_twins(ValueKind values, Index pairs, Index core, Index length) {
  constexpr Spoil kSwap{.kind = NegativeKind::adjacent};
  Questions twins;
  for (Index i = 0; i < pairs; ++i) {
    Rng rng(0, "explain.dilution", static_cast<std::uint64_t>(i));
    Sequence sorted(to_size(core));
    draw_spoilable(rng, values, kSwap, sorted);
    Sequence spoilt = sorted;
    spoil_in_place(rng, kSwap, spoilt);
    // The core's largest value, which a swap may have moved one place away from its end.
    const std::int32_t last = sorted.back();
    sorted.resize(to_size(length), last);
    spoilt.resize(to_size(length), last);
    add_sequence(sorted, twins);
    add_sequence(spoilt, twins);
  }
  return twins;
}

/// The mean over twins of the distance of their pooled vectors.
double moved(const Member& member, const Questions& twins) {
  const Index length = std::ssize(twins[0].input);
  const Index rows = 2 * std::max<Index>(1, kBlockTokens / length / 2);
  double sum = 0;
  for (Index first = 0; first < twins.size(); first += rows) {
    const Tensor pooled = seen_at(member, some_of(twins, first, rows), "head.pooled");
    const Index width = pooled.dim(1);
    for (Index pair = 0; pair < pooled.dim(0) / 2; ++pair) {
      const float* whole = pooled.data<float>() + 2 * pair * width;
      double square = 0;
      for (Index e = 0; e < width; ++e) {
        const double difference =
            static_cast<double>(whole[e]) - static_cast<double>(whole[width + e]);
        square += difference * difference;
      }
      sum += std::sqrt(square);
    }
  }
  const Index pairs = twins.size() / 2;
  return sum / static_cast<double>(pairs);
}

/// Relative to the first length; empty where a swap moves nothing there.
std::vector<double> shares(const Member& member, const ExplainScale& scale,
                           std::span<const Index> lengths) {
  constexpr double kNothing = 1e-5;  // a bag of tokens moves by rounding only
  std::vector<double> found;
  for (const Index length : lengths)
    found.push_back(moved(member, stretched_twins(member.config.task.values, scale.pairs,
                                                  scale.map_length_short, length)));
  const double whole = found.front();
  if (whole < kNothing) return {};
  for (double& each : found) each /= whole;
  return found;
}

}  // namespace

MaybeExplained explain_dilution(ExplainMembers members, const ExplainScale& scale) {
  constexpr std::size_t kRecipes = 8;
  SortExplanation made{
      .id = "dilution",
      .title = "Mean pooling dilutes a violation",
      .formula =
          "One swap changes the rows of a few tokens. Their mean over L tokens moves by "
          "1/L of that: beside a length ℓ by ℓ/L. A maximum moves as much in a long "
          "sequence as in a short one. Measured: the distance between the pooled "
          "vectors of one-swap twins whose last value is repeated up to the length, so that "
          "nothing else changes.",
      .x_label = "length",
      .y_label = "distance of the twins' pooled vectors, relative to the shortest",
      .log_x = true,
      .predicted = {},
      .measured = {},
      .maps = {}};
  std::vector<Index> longest;
  for (const RecipeGroup& group : by_recipe(members, kRecipes, pools_features)) {
    const std::vector<Index> lengths = lengths_for(scale, group.model());
    std::vector<std::vector<double>> rows;
    for (const ExplainMember* each : group.members)
      if (auto row = shares(each->member, scale, lengths); !row.empty())
        rows.push_back(std::move(row));
    if (rows.empty()) continue;
    if (lengths.size() > longest.size()) longest = lengths;
    made.measured.push_back(over_members(group.recipe + ", " + field_text(group.model().pooling),
                                         as_doubles(lengths), rows));
  }
  if (made.measured.empty()) return std::nullopt;
  SortCurve inverse{.label = fmt::format("mean: {}/L", scale.map_length_short),
                    .x = as_doubles(longest),
                    .y = {},
                    .low = {},
                    .high = {}};
  for (const double length : inverse.x)
    inverse.y.push_back(static_cast<double>(scale.map_length_short) / length);
  made.predicted.push_back(std::move(inverse));
  return made;
}

}  // namespace heddle
