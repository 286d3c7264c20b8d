// Attention at a length of training and far beyond it: the same heads, the same kind of input.
#include <algorithm>

#include <fmt/core.h>

#include "heddle/base/index.hpp"
#include "heddle/lens/ablate/heads_behind.hpp"
#include "heddle/lens/explain/attention_parts.hpp"
#include "heddle/lens/explain/parts.hpp"
#include "heddle/task/sortedness/sortedness.hpp"

namespace heddle {
namespace {

constexpr Index kReferences = 16;   // sequences whose mean stands in for a head
constexpr Index kMostDistance = 8;  // of the curves
constexpr Index kMostNames = 32;    // tokens are named on short axes only

/// The heads behind the answer to a sequence, means over sorted sequences of the same length.
std::vector<HeadEffect> heads_on(const Member& member, const Sequence& sequence) {
  Questions asked;
  add_sequence(sequence, asked);
  const Config& config = member.config;
  Team team(1);  // one question is little work
  return heads_behind(
      member, asked,
      sorted_questions(config.seed, config.task.values, std::ssize(sequence), kReferences), team);
}

/// The head whose removal costs the answer most, `sharp` excepted.
HeadOfMaps most_informative(const std::vector<AttentionMap>& maps,
                            const std::vector<HeadEffect>& heads, const HeadOfMaps& sharp) {
  const std::string known = head_name(maps, sharp);
  for (const HeadEffect& head : heads)
    for (std::size_t module = 0; module < maps.size(); ++module)
      for (Index h = 0; h < maps[module].heads; ++h)
        if (const HeadOfMaps place{.module = module, .head = h};
            head.head != known && head_name(maps, place) == head.head)
          return place;
  return sharp;
}

std::span<const float> weights_of(const AttentionMap& map, Index head) {
  const auto size = to_size(map.queries * map.keys);
  return std::span(map.weights).subspan(to_size(head) * size, size);
}

/// What is looked at on one sequence.
struct Look {
  const ExplainMember& asked;
  const Sequence& sequence;
  const std::vector<AttentionMap>& maps;
};

SortMap map_of(const Look& look, const HeadOfMaps& place, std::string_view why) {
  const AttentionMap& map = look.maps[place.module];
  const auto length = std::ssize(look.sequence);
  SortMap made{.label = fmt::format("{}, {} at length {}", look.asked.recipe,
                                    head_name(look.maps, place), length),
               .note = fmt::format("seed {}: {}", look.asked.seed, why),
               .rows = map.queries,
               .columns = map.keys,
               .trained_rows = 0,
               .row_names = {},
               .column_names = {},
               .values = {}};
  for (const float weight : weights_of(map, place.head))
    made.values.push_back(rounded(static_cast<double>(weight)));
  // Only where a row is a value: other tokens would need names of their own.
  if (length <= kMostNames && map.queries == length)
    for (const std::int32_t value : look.sequence) made.row_names.push_back(std::to_string(value));
  made.column_names = made.row_names;
  return made;
}

/// The mean weight that queries give to the key at each distance.
SortCurve by_distance(const Look& look, const HeadOfMaps& place) {
  const AttentionMap& map = look.maps[place.module];
  const auto weights = weights_of(map, place.head);
  SortCurve curve{.label = fmt::format("{}, {} at length {}", look.asked.recipe,
                                       head_name(look.maps, place), look.sequence.size()),
                  .x = {},
                  .y = {},
                  .low = {},
                  .high = {}};
  for (Index distance = -kMostDistance; distance <= kMostDistance; ++distance) {
    double sum = 0;
    Index count = 0;
    for (Index query = 0; query < map.queries; ++query) {
      const Index key = query - distance;
      if (key < 0 || key >= map.keys) continue;
      sum += static_cast<double>(weights[to_size(query * map.keys + key)]);
      ++count;
    }
    if (count == 0) continue;
    curve.x.push_back(static_cast<double>(distance));
    curve.y.push_back(sum / static_cast<double>(count));
  }
  return curve;
}

void add_member(const ExplainMember& asked, const ExplainScale& scale, SortExplanation& into) {
  const ValueKind values = asked.member.config.task.values;
  const Sequence near = one_swap_sequences(values, scale.map_length_short, 1).front();
  const std::vector<AttentionMap> maps = patterns_on(asked.member, near);
  const HeadOfMaps sharp = sharpest({maps});
  const HeadOfMaps telling = most_informative(maps, heads_on(asked.member, near), sharp);
  const bool alone = telling.module == sharp.module && telling.head == sharp.head;
  const auto add = [&](const Look& look) {
    into.maps.push_back(map_of(look, sharp, "its sharpest head"));
    if (!alone) into.maps.push_back(map_of(look, telling, "the head that the answer needs most"));
    into.measured.push_back(by_distance(look, telling));
  };
  add({.asked = asked, .sequence = near, .maps = maps});
  if (!accepts_longer_inputs(asked.member.config.model)) return;
  const Sequence far = one_swap_sequences(values, scale.map_length_long, 1).front();
  add({.asked = asked, .sequence = far, .maps = patterns_on(asked.member, far)});
}

}  // namespace

MaybeExplained explain_attention(ExplainMembers members, const ExplainScale& scale) {
  SortExplanation made{
      .id = "attention",
      .title = "The same heads at a training length and far beyond",
      .formula =
          "If what a head does depends on distance and values alone, its mean weight at a "
          "distance is the same at every length. Maps: a sequence with one adjacent swap.",
      .x_label = "distance Δ = query − key",
      .y_label = "mean attention weight",
      .log_x = false,
      .predicted = {},
      .measured = {},
      .maps = {}};
  const auto sinusoidal = [](const ExplainMember& each) {
    return each.member.config.model.position == PositionKind::sinusoidal && each.recipe != "recipe";
  };
  const auto recipe =
      by_recipe(members, 1, [](const ExplainMember& each) { return each.recipe == "recipe"; });
  for (const RecipeGroup& group : recipe) add_member(group.first(), scale, made);
  for (const RecipeGroup& group : by_recipe(members, 1, sinusoidal))
    add_member(group.first(), scale, made);
  return made.maps.empty() ? std::nullopt : MaybeExplained(std::move(made));
}

}  // namespace heddle
