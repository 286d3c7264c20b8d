// Attention maps: see attention.hpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/document/number.hpp"
#include "heddle/report/draw/heatmap.hpp"
#include "heddle/report/parts/attention.hpp"

namespace heddle::report {
namespace {

constexpr const char* kAlone =
    "A map describes, it does not explain: only ablation says what a head is worth.";
constexpr const char* kBesides =
    "A map describes, it does not explain: beside each stands what the answers lose when that head "
    "gives its mean output "
    "(percentage points) and its role.";

/// Words may be long: they leave room for the map.
std::vector<std::string> labels(const std::vector<std::string>& tokens, std::int64_t count) {
  constexpr double kSize = 9.5, kWidest = 64;
  std::vector<std::string> out;
  for (std::int64_t i = 0; i < count; ++i)
    out.push_back(i < static_cast<std::int64_t>(tokens.size())
                      ? fitted(tokens[to_size(i)], kSize, kWidest)
                      : std::to_string(i));
  std::ranges::replace(out, std::string(" "), std::string("␣"));  // a space is a token like others
  return out;
}

Text note_of(const MemberRecord& member, const std::string& head, const Source* source) {
  const Effect* effect = find_effect(member.ablation.heads, head, AblationMode::mean);
  const std::string role = role_of(member, head);
  if (effect == nullptr || source == nullptr) return role;
  const Text cost = say("costs {}", source->points(effect->drop));
  return role.empty() ? cost : say("{} · {}", cost, role);
}

}  // namespace

Map head_map(const MemberRecord& member, const AttentionPicture& picture, const AttentionGrid& grid,
             std::int64_t head, const Source* source) {
  const HeadName module = parse_head(grid.module);
  const bool encoder = !module.decoder, cross = module.cross;
  const std::string name =
      module.is_head() ? grid.module : fmt::format("{}.head.{}", grid.module, head);
  Map map;
  map.title = label_of(name);
  map.note = note_of(member, name, source);
  map.rows = labels(encoder ? picture.source : picture.target, grid.queries);
  map.columns = labels(encoder || cross ? picture.source : picture.target, grid.keys);
  const bool causal = !encoder && !cross;
  for (std::int64_t query = 0; query < grid.queries; ++query)
    for (std::int64_t key = 0; key < grid.keys; ++key) {
      const auto at = to_size((head * grid.queries + query) * grid.keys + key);
      const bool seen = at < grid.weights.size() && !(causal && key > query);
      map.values.push_back(seen ? grid.weights[at] : std::numeric_limits<double>::quiet_NaN());
    }
  return map;
}

namespace {

std::string subtitle_of(const MemberRecord& member, const AttentionPicture& picture) {
  if (picture.problems > 1)
    return fmt::format("Averages over {} problems ({}; {}).", format_count(picture.problems),
                       picture.name, name_of(member));
  if (picture.expected.empty())
    return fmt::format("{}: answered {}, the right answer is not known ({}).", picture.name,
                       picture.output, name_of(member));
  return fmt::format("{}: answered {}, right is {} ({}).", picture.name, picture.output,
                     picture.expected, name_of(member));
}

MapFigure figure_of(const MemberRecord& member, const AttentionPicture& picture,
                    std::string title) {
  MapFigure figure;
  figure.text = {
      .title = std::move(title),
      .subtitle = subtitle_of(member, picture),
      .caption = std::string("Rows: the reading token (query). Columns: the token that is read "
                             "(key). Darker means more attention. ") +
                 (member.ablation.heads.empty() ? kAlone : kBesides)};
  figure.value_label = "attention weight";
  return figure;
}

}  // namespace

std::string attention_module(const MemberRecord& member, const AttentionPicture& picture,
                             const AttentionGrid& grid, const Source* source) {
  MapFigure figure = figure_of(
      member, picture, fmt::format("Attention of {} on {}", label_of(grid.module), picture.name));
  for (std::int64_t head = 0; head < grid.heads; ++head)
    figure.maps.push_back(head_map(member, picture, grid, head, source));
  if (figure.maps.empty()) return "";
  figure.maps_per_row = static_cast<int>(std::clamp<std::int64_t>(grid.heads, 1, 4));
  figure.cell = 20;
  figure.row_label = "query";
  figure.column_label = "key";
  return draw(figure);
}

std::string attention_model(const MemberRecord& member, const AttentionPicture& picture,
                            const Source* source) {
  MapFigure figure =
      figure_of(member, picture,
                picture.problems > 1
                    ? fmt::format("Attention of every head, averaged (problems: {})", picture.name)
                    : fmt::format("Attention of every head on {}", picture.name));
  std::int64_t most = 0;
  for (const AttentionGrid& grid : picture.modules) most = std::max(most, grid.heads);
  for (const AttentionGrid& grid : picture.modules)
    for (std::int64_t head = 0; head < most; ++head)
      figure.maps.push_back(head < grid.heads ? head_map(member, picture, grid, head, source)
                                              : Map{});
  if (figure.maps.empty()) return "";
  figure.maps_per_row = static_cast<int>(most);
  figure.cell = 16;
  return draw(figure);
}

}  // namespace heddle::report
