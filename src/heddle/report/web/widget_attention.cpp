// The data of the attention browser: see widget.hpp.
#include "heddle/report/parts/attention.hpp"
#include "heddle/report/web/widget.hpp"
#include "heddle/report/web/widget_json.hpp"

namespace heddle::report {
namespace {

std::string all_weights(const MemberRecord& member, const AttentionPicture& picture,
                        const AttentionGrid& grid) {
  std::vector<double> weights;
  for (std::int64_t head = 0; head < grid.heads; ++head) {
    const Map map = head_map(member, picture, grid, head);
    weights.insert(weights.end(), map.values.begin(), map.values.end());
  }
  return packed(weights);
}

Json module_json(const Source& source, const MemberRecord& member, const AttentionPicture& picture,
                 const AttentionGrid& grid) {
  return {{"from", parent_path(source.path(&grid.module))},
          {"module", grid.module},
          {"heads", grid.heads},
          {"queries", grid.queries},
          {"keys", grid.keys},
          {"weights", all_weights(member, picture, grid)}};
}

Json picture_json(const Source& source, const MemberRecord& member,
                  const AttentionPicture& picture) {
  Json modules = Json::array();
  for (const AttentionGrid& grid : picture.modules)
    modules.push_back(module_json(source, member, picture, grid));
  return {{"from", parent_path(source.path(&picture.name))},
          {"name", picture.name},
          {"problems", picture.problems},
          {"output", picture.output},
          {"source", picture.source},
          {"target", picture.target},
          {"modules", modules}};
}

Json effects_json(const Source& source, const std::vector<Effect>& effects) {
  return {{"from", source.path(&effects)},          {"head", column(effects, &Effect::what)},
          {"mode", column(effects, &Effect::mode)}, {"drop", column(effects, &Effect::drop)},
          {"low", column(effects, &Effect::low)},   {"high", column(effects, &Effect::high)},
          {"band", column(effects, &Effect::band)}};
}

Json roles_json(const Source& source, const std::vector<HeadRole>& roles) {
  return {{"from", source.path(&roles)},
          {"head", column(roles, &HeadRole::head)},
          {"role", column(roles, &HeadRole::role)},
          {"score", column(roles, &HeadRole::score)}};
}

}  // namespace

Widget attention_widget(const Source& source, const MemberRecord& member) {
  Json pictures = Json::array();
  for (const AttentionPicture& picture : member.pictures)
    if (!picture.modules.empty()) pictures.push_back(picture_json(source, member, picture));
  const Json data{{"colours", map_colours()},
                  {"effects", effects_json(source, member.ablation.heads)},
                  {"roles", roles_json(source, member.specialisation.roles)},
                  {"pictures", pictures}};
  return {.name = "attention",
          .label = "Attention browser",
          .without = "The attention browser needs JavaScript; the figures below do not.",
          .on_dark = "On a dark page the maps keep their paper: darker still means more attention.",
          .data = page_json(data)};
}

}  // namespace heddle::report
