// See roles.hpp.
#include "heddle/report/parts/roles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "heddle/base/index.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/document/number.hpp"
#include "heddle/report/draw/heatmap.hpp"

namespace heddle::report {
namespace {

constexpr double kNoCost = std::numeric_limits<double>::quiet_NaN();
constexpr double kGridCell = 150, kGridRow = 40;

/// Modules in the order in which the ablation names them.
std::vector<std::string> modules_of(const MemberRecord& member) {
  std::vector<std::string> names;
  for (const Effect& effect : member.ablation.heads) {
    const std::string module = module_of(effect.what);
    if (effect.mode == AblationMode::mean && parse_head(effect.what).is_head() &&
        std::ranges::find(names, module) == names.end())
      names.push_back(module);
  }
  return names;
}

std::size_t most_heads(const MemberRecord& member) {
  int most = 0;
  for (const Effect& effect : member.ablation.heads)
    most = std::max(most, static_cast<int>(parse_head(effect.what).number) + 1);
  return to_size(most);
}

Table roles_table(const Source& source, const MemberRecord& member) {
  const bool costs = !member.ablation.heads.empty();
  Table table;
  table.caption = costs ? "Heads with a role, beside what they are worth." : "Heads with a role.";
  table.columns = columns({"head", "role"}, {"by its"});
  if (costs) table.columns.push_back({.head = "drop (points)"});
  for (const HeadRole& role : member.specialisation.roles) {
    std::vector<Text> row{source.label(role.head), source.text(role.role),
                          role.by_entropy() ? say("entropy {}", source.number(role.score, 3))
                                            : say("excess {}", source.number(role.score, 3))};
    const Effect* effect = find_effect(member.ablation.heads, role.head, AblationMode::mean);
    if (costs) row.push_back(effect == nullptr ? Text(kNoData) : Text(source.points(effect->drop)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::string role_map(const Source& source, const MemberRecord& member) {
  Map map;
  map.rows = modules_of(member);
  for (std::size_t head = 0; head < most_heads(member); ++head)
    map.columns.push_back(fmt::format("H{}", head));
  double most = 0;
  for (const std::string& module : map.rows)
    for (std::size_t head = 0; head < map.columns.size(); ++head) {
      const std::string name = fmt::format("{}.head.{}", module, head);
      const Effect* effect = find_effect(member.ablation.heads, name, AblationMode::mean);
      map.values.push_back(effect == nullptr ? kNoCost : 100 * effect->drop);
      map.words.push_back(role_of(member, name));
      map.notes.push_back(effect == nullptr ? Text()
                                            : say("costs {}", source.points(effect->drop)));
      if (std::isfinite(map.values.back())) most = std::max(most, map.values.back());
    }
  if (map.values.empty()) return "";
  for (std::string& row : map.rows) row = label_of(row);
  MapFigure figure;
  figure.text = {
      .title = "What each head does, and what it costs to lose it",
      .subtitle = fmt::format("A row per module, a column per head ({}).", name_of(member)),
      .caption =
          "Words: the role that the written rules give the head from where it looks. "
          "Colour and numbers: the answers lost when it gives its mean output, in percentage "
          "points. A role without a cost is a habit, not a use."};
  figure.maps = {map};
  figure.cell = kGridCell;
  figure.most_height = kGridRow * static_cast<double>(map.rows.size());
  const double step = nice_step(std::max(most, 1.0), 3);
  figure.most = std::ceil(most / step - 1e-9) * step;
  if (!(figure.most > 0)) figure.most = step;
  figure.value_label = "drop (points)";
  return draw(figure);
}

void add_roles(Section& section, const Source& source, const MemberRecord& member) {
  const Specialisation& found = member.specialisation;
  if (found.roles.empty()) return;
  add(section,
      say("Roles come from written rules over measures of attention on {} questions. They "
          "say where a head looks, not what it does. Beside each stands what its rule "
          "compared: the excess, from nothing as in a uniform head to one where all of the weight "
          "is what the role says, or the entropy, from nothing where one key has all of the "
          "weight to one as in a uniform head.",
          source.count(found.problems)));
  add_figure(section, "figures/role_map.svg", "Role and cost of every head, module by module",
             "A role without a cost is a habit, not a use.", role_map(source, member));
  add_table(section, roles_table(source, member));
}

}  // namespace heddle::report
