// See attention_parts.hpp.
#include "heddle/lens/explain/attention_parts.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "heddle/base/index.hpp"
#include "heddle/eval/sortedness.hpp"

namespace heddle {

std::string head_name(const std::vector<AttentionMap>& maps, const HeadOfMaps& place) {
  return fmt::format("{}.head.{}", maps[place.module].module, place.head);
}

double sharpness(const AttentionMap& map, Index head) {
  double sum = 0;
  for (Index query = 0; query < map.queries; ++query) {
    const float* row = map.weights.data() + (head * map.queries + query) * map.keys;
    sum += static_cast<double>(*std::max_element(row, row + map.keys));
  }
  return sum / static_cast<double>(map.queries);
}

HeadOfMaps sharpest(const std::vector<std::vector<AttentionMap>>& patterns) {
  HeadOfMaps best;
  double most = -1;
  for (std::size_t module = 0; module < patterns.front().size(); ++module)
    for (Index head = 0; head < patterns.front()[module].heads; ++head) {
      double sum = 0;
      for (const auto& maps : patterns) sum += sharpness(maps[module], head);
      if (sum <= most) continue;
      most = sum;
      best = {.module = module, .head = head};
    }
  return best;
}

std::vector<Sequence> one_swap_sequences(ValueKind values, Index length, Index count) {
  const SortedSet set({.length = length,
                       .kind = NegativeKind::adjacent,
                       .values = values,
                       .count = 2 * count,
                       .seed = kSetSeed});
  std::vector<Sequence> sequences(to_size(count));
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    sequences[i].resize(to_size(length));
    set.draw(static_cast<Index>(2 * i + 1), sequences[i]);
  }
  return sequences;
}

void add_sequence(const Sequence& sequence, Questions& out) {
  const std::int32_t label = is_sorted(sequence) ? 1 : 0;
  out.add(sequence, std::span(&label, 1));
}

std::vector<AttentionMap> patterns_on(const Member& member, const Sequence& sequence) {
  Questions asked;
  add_sequence(sequence, asked);
  const TapTable& taps = member.model->taps();
  std::vector<AttentionMap> maps;
  Edits edits(taps);  // patterns alone: these sequences are long
  for (const HeadGroup& group : taps.heads()) {
    if (group.heads == 0) continue;
    edits.on(taps[group.pattern].path, [&](const TapSite&, const Var& x) {
      maps.push_back(map_of(group, x.value));
      return x;
    });
  }
  const EncodedQuestions rows = encoded(member, asked);
  Run run(member.weights, &edits);
  (void)member.model->forward(run, rows.all());
  return maps;
}

std::vector<std::vector<AttentionMap>> patterns_on(const Member& member,
                                                   const std::vector<Sequence>& sequences) {
  std::vector<std::vector<AttentionMap>> patterns;
  patterns.reserve(sequences.size());
  for (const Sequence& sequence : sequences) patterns.push_back(patterns_on(member, sequence));
  return patterns;
}

}  // namespace heddle
