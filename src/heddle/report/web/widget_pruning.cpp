// The data of the pruning slider: see widget.hpp.
#include "heddle/report/document/label.hpp"
#include "heddle/report/web/widget.hpp"
#include "heddle/report/web/widget_json.hpp"

namespace heddle::report {
namespace {

Json points_json(const AdditionSource& source, const std::vector<PrunePoint>& points) {
  return {
      {"from", source.path(&points)},
      {"heads_left", column(points, &PrunePoint::heads_left)},
      {"cut", column(points, &PrunePoint::cut)},
      {"scored.correct", column(points, [](const auto& point) { return point.scored.correct; })},
      {"scored.total", column(points, [](const auto& point) { return point.scored.total; })},
      {"low", column(points, &PrunePoint::low)},
      {"high", column(points, &PrunePoint::high)}};
}

Json member_json(const AdditionSource& source, const MemberRecord& member) {
  Json curves = Json::array();
  for (const PruneCurve& curve : member.pruning.curves)
    if (curve.repeat == 0 && !curve.points.empty())  // one of the random orders is enough here
      curves.push_back({{"from", parent_path(source.path(&curve.by))},
                        {"by", std::string(name_of(curve.by))},
                        {"points", points_json(source, curve.points)}});
  return {{"from", parent_path(source.path(&member.recipe))},
          {"recipe", member.recipe},
          {"seed", member.seed},
          {"defect", member.defect},
          {"curves", curves}};
}

}  // namespace

Widget pruning_widget(const AdditionSource& source) {
  Json members = Json::array();
  const MemberRecord* shown = member_to_show(source.study());
  const auto add_member = [&](const MemberRecord& member) {
    Json data = member_json(source, member);
    if (!data["curves"].empty()) members.push_back(std::move(data));
  };
  if (shown != nullptr) add_member(*shown);
  for (const MemberRecord& member : source.study().members)
    if (&member != shown) add_member(member);
  return {.name = "pruning",
          .label = "Pruning, head by head",
          .without = "The slider needs JavaScript; the figure and the tables do not.",
          .on_dark = "",
          .data = members.empty() ? "" : page_json({{"members", members}})};
}

}  // namespace heddle::report
