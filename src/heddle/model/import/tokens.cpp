// See tokens.hpp.
#include "heddle/model/import/tokens.hpp"

#include <algorithm>
#include <set>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/task/addition/tokens.hpp"
#include "heddle/task/shape.hpp"

namespace heddle {
namespace {

void check_length(const TheirIds& ids, Index count, std::string_view field, const Config& config) {
  const auto given = std::ssize(ids);
  if (ids.empty() || given == count) return;
  throw UsageError(fmt::format(
      "{} has {} numbers; accepted is one for each of our {} tokens{}", field, given, count,
      given < count ? fmt::format(" (that of {} is missing)", token_name(config, given)) : ""));
}

}  // namespace

TokenIds token_ids(const ImportMap& map, const WeightLayout& layout) {
  const bool two = map.source_tokens != map.target_tokens;
  check_length(map.source_tokens, rows_of_weight(layout, "encoder.embed.token"),
               two ? "tokens, source," : "tokens", map.config);
  const Index classes = rows_of_weight(layout, "head.b_out");
  check<UsageError>(map.classes.empty() || std::ssize(map.classes) == classes,
                    "classes has {} numbers; accepted is one for each of our {} classes",
                    map.classes.size(), classes);
  TokenIds ids;
  ids.source = map.source_tokens;
  ids.classes = map.classes;
  const Index target = rows_of_weight(layout, "decoder.embed.token");
  if (target == 0) return ids;  // a classifier says no tokens
  check_length(map.target_tokens, target, "tokens, target,", map.config);
  ids.target = ids.said = map.target_tokens;
  std::set<Index> before;
  for (std::optional<Index>& id : ids.said)
    if (id && !before.insert(*id).second) id.reset();
  return ids;
}

std::optional<Index> their_id(const TheirIds& ids, Index ours) {
  return ids.empty() ? std::optional(ours) : ids[to_size(ours)];
}

std::optional<Index> our_id(const TheirIds& ids, Index theirs, Index count) {
  if (ids.empty()) return theirs < count ? std::optional(theirs) : std::nullopt;
  const auto found = std::ranges::find(ids, std::optional(theirs));
  return found == ids.end() ? std::nullopt : std::optional<Index>(found - ids.begin());
}

std::string token_name(const Config& config, Index token) {
  const auto id = static_cast<std::int32_t>(token);
  const TaskShape shape = shape_of(config.task);
  if (shape.counts_digits()) return quote(token_text(id));
  if (id == shape.pad()) return "'PAD'";
  if (id == shape.bos()) return "'BOS'";
  if (id == shape.eos()) return shape.labels ? "'CLS'" : "'EOS'";
  return fmt::format("'{}'", token);
}

Index rows_of_weight(const WeightLayout& layout, std::string_view path) {
  const auto found = std::ranges::find(layout.specs(), path, &WeightSpec::path);
  return found == layout.specs().end() ? 0 : found->shape[0];
}

}  // namespace heddle
